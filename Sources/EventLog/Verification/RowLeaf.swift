internal import Cryptography
internal import PostgreSQL

/// Computes leaves from the rows of `log-copy-page.sql`, straight from their binary form: what
/// schema/leaf-encoding.md asks for is mostly what the server sends.
struct RowLeaf {
    /// Where the columns stand that more is asked of than their part in the leaf.
    enum Column {
        static let source = 1
        static let id = 2
        static let time = 5
        static let receivedAt = 6
        static let evidence = 13
        static let places = 14
        static let personalDigest = 17
        static let position = 18
        static let recordedAt = 19
        static let leaf = 20
        static let salt = 21
        static let personal = 22
    }

    private static let leafPrefix: UInt8 = 0
    private static let version: UInt8 = 1
    private static let fieldCount = 20

    private var buffer: [UInt8] = []

    /// The leaf that the columns give: 32 bytes.
    mutating func leaf(of row: Row) throws -> [UInt8] {
        buffer.removeAll(keepingCapacity: true)
        buffer += [Self.leafPrefix, Self.version]
        for column in 0..<Self.fieldCount {
            try row.withBytes(at: column) { try append($0, column: column) }
        }
        return SHA256.hash(buffer)
    }

    /// The key that source and id give.
    mutating func key(of row: Row) throws -> ArraySlice<UInt8> {
        buffer.removeAll(keepingCapacity: true)
        for column in [Column.source, Column.id] {
            try row.withBytes(at: column) { buffer.append(lengthPrefixed: $0 ?? Self.nothing) }
        }
        return SHA256.hash(buffer).prefix(EventKey.byteCount)
    }

    /// SHA-256 over salt and personal values; `nil` if they were erased.
    mutating func personalDigest(of row: Row) throws -> [UInt8]? {
        buffer.removeAll(keepingCapacity: true)
        for column in [Column.salt, Column.personal] {
            let isThere = try row.withBytes(at: column) { bytes in
                buffer += bytes ?? Self.nothing
                return bytes != nil
            }
            if !isThere { return nil }
        }
        return SHA256.hash(buffer)
    }

    private static var nothing: UnsafeRawBufferPointer { .init(start: nil, count: 0) }

    private mutating func append(_ bytes: UnsafeRawBufferPointer?, column: Int) throws {
        guard let bytes else { return buffer.append(0) }
        buffer.append(1)
        switch column {
        case Column.time, Column.receivedAt, Column.recordedAt:
            buffer.append(bigEndian: UInt32(8))
            buffer.append(bigEndian: try Timestamp(binary: bytes).milliseconds)
        case Column.evidence, Column.places: appendElements(of: bytes)
        default: buffer.append(lengthPrefixed: bytes)
        }
    }

    /// The elements of an array one after the other. (`array_send`: dimensions, whether there are
    /// NULLs, the type; for the only dimension size and lower bound; then each with its length.)
    private mutating func appendElements(of bytes: UnsafeRawBufferPointer) {
        let start = buffer.count
        buffer.append(bigEndian: UInt32(0))
        var offset = 20
        while offset + 4 <= bytes.count {
            let length = Int(
                UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            offset += 4
            guard offset + length <= bytes.count else { break }
            buffer += bytes[offset..<offset + length]
            offset += length
        }
        let length = UInt32(buffer.count - start - 4)
        withUnsafeBytes(of: length.bigEndian) { bytes in
            buffer.replaceSubrange(start..<start + 4, with: bytes)
        }
    }
}
