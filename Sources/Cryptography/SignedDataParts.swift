/// A ContentInfo with SignedData (RFC 5652, sections 3 and 5.1), taken apart: its certificates, and
/// the message without them.
///
/// libcrypto decodes the key of every certificate that it reads, which takes longer than all the
/// rest of a message; apart from it, certificates that were read before need not be read again.
struct SignedDataParts {
    /// The encoded certificates, in their order; other kinds than X.509's are left out.
    let certificates: [ArraySlice<UInt8>]
    /// The message without certificates.
    let rest: [UInt8]

    /// Most digest algorithms of a message; one signer needs one. libcrypto reads the content by
    /// one filter after the other for them, nested as deep.
    private static let digestsMax = 4

    /// `1.2.840.113549.1.7.2`
    private static let signedData: [UInt8] = [
        0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02,
    ]

    /// `nil` for bytes that are no such message, or that go on behind it.
    init?(_ bytes: [UInt8]) {
        do {
            var outer = BasicReader(bytes)
            let info = try outer.only()
            guard info.identifier == BasicTag.sequence else { return nil }
            var members = try outer.inside(info)
            guard let type = try members.next(), type.identifier == BasicTag.objectIdentifier,
                members.content(type).elementsEqual(Self.signedData)
            else { return nil }
            let explicit = try members.only()
            guard explicit.identifier == BasicTag.content else { return nil }
            var inner = try members.inside(explicit)
            let data = try inner.only()
            guard data.identifier == BasicTag.sequence else { return nil }
            var fields = try inner.inside(data)
            guard let version = try fields.next(), version.identifier == BasicTag.integer,
                let digests = try fields.next(), digests.identifier == BasicTag.set,
                try Self.count(fields.inside(digests)) <= Self.digestsMax,
                let content = try fields.next(), content.identifier == BasicTag.sequence,
                let stored = try fields.next(), stored.identifier == BasicTag.content
            else { return nil }
            certificates = try Self.sequences(fields.inside(stored), in: bytes)
            var kept = bytes[version.whole] + bytes[digests.whole] + bytes[content.whole]
            while let field = try fields.next() { kept += bytes[field.whole] }
            let signed = Self.encoded(BasicTag.sequence, kept)
            rest = Self.encoded(
                BasicTag.sequence, bytes[type.whole] + Self.encoded(BasicTag.content, signed))
        } catch {
            return nil
        }
    }

    /// How many values there are, counted no further than is needed to refuse them.
    private static func count(_ reader: BasicReader) throws(BasicReader.Failure) -> Int {
        var (reader, count) = (reader, 0)
        while count <= digestsMax, try reader.next() != nil { count += 1 }
        return count
    }

    private static func sequences(
        _ reader: BasicReader, in bytes: [UInt8]
    ) throws(BasicReader.Failure) -> [ArraySlice<UInt8>] {
        var reader = reader
        var found: [ArraySlice<UInt8>] = []
        while found.count <= SignedMessage.certificatesMax, let element = try reader.next() {
            if element.identifier == BasicTag.sequence { found.append(bytes[element.whole]) }
        }
        return found
    }

    private static func encoded(_ identifier: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
        var length = withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0) }
        length.insert(0x84, at: 0)
        return [identifier] + length + content
    }
}
