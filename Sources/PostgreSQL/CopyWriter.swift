import CPostgreSQL

/// Writes rows of a binary COPY. It is lent to the body of `copyIn`.
public struct CopyWriter: ~Copyable {
    /// What is sent at once, about.
    private static let chunkSize = 65_536
    /// `PGCOPY`, flags 0, no extension of the header (the manual, "COPY", binary format).
    private static let header: [UInt8] =
        Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0]

    private let connection: OpaquePointer
    private let place: String
    private var buffer = Self.header
    private var isBroken = false

    init(_ handle: ConnectionHandle, place: String) {
        connection = handle.pointer
        self.place = place
    }

    /// One row: a value for each column of the COPY, in its order and of exactly its type.
    public mutating func row(_ values: [Parameter]) throws {
        guard let count = Int16(exactly: values.count) else {
            throw PostgreSQLError(.tooManyParameters, place: place)
        }
        let start = buffer.count
        buffer.append(bigEndian: count)
        do {
            for value in values { try buffer.append(field: value.value) }
        } catch let error as PostgreSQLError {
            buffer.removeSubrange(start...)
            throw PostgreSQLError(error.code, place: place)
        }
        if buffer.count >= Self.chunkSize { try flush() }
    }

    /// The trailer, and all that waits.
    mutating func finish() throws {
        buffer.append(bigEndian: Int16(-1))
        try flush()
    }

    private mutating func flush() throws {
        guard !isBroken else { throw PostgreSQLError(.connectionLost, place: place) }
        // A large row too goes in pieces: the server counts a piece when it has all of it, and by
        // that others see that the COPY moves.
        let sent = buffer.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: Self.chunkSize).allSatisfy { start in
                let piece = bytes[start..<min(start + Self.chunkSize, bytes.count)]
                let text = UnsafeRawBufferPointer(rebasing: piece).bindMemory(to: CChar.self)
                return PQputCopyData(connection, text.baseAddress, Int32(text.count)) == 1
            }
        }
        buffer.removeAll(keepingCapacity: true)
        isBroken = !sent
        if isBroken { throw PostgreSQLError(.connectionLost, place: place) }
    }
}
