internal import Synchronization

/// The certificates that were read last, by their encoded bytes: Apple signs with few of them.
/// Nothing is said about whether they are good.
public final class CertificateCache: Sendable {
    /// How many it keeps.
    static let certificatesMax = 64
    /// Longer ones are not kept, in bytes; Apple's have at most 1,600.
    static let bytesMax = 8 << 10

    private struct Entry {
        let bytes: [UInt8]
        let certificate: Certificate
    }

    /// The one used last stands first.
    private let entries = Mutex<[Entry]>([])

    /// A cache without certificates.
    public init() {}

    /// The certificate that is encoded so; `nil` if it is none.
    func certificate(_ bytes: ArraySlice<UInt8>) -> Certificate? {
        if let known = known(bytes) { return known }
        let owned = Array(bytes)
        guard let certificate = Certificate(der: owned) else { return nil }
        if owned.count <= Self.bytesMax {
            entries.withLock { entries in
                entries.insert(Entry(bytes: owned, certificate: certificate), at: 0)
                if entries.count > Self.certificatesMax { entries.removeLast() }
            }
        }
        return certificate
    }

    private func known(_ bytes: ArraySlice<UInt8>) -> Certificate? {
        entries.withLock { entries in
            let place = entries.firstIndex {
                $0.bytes.count == bytes.count && $0.bytes.elementsEqual(bytes)
            }
            guard let index = place else { return nil }
            if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
            return entries[0].certificate
        }
    }
}
