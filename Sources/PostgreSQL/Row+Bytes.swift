extension Row {
    /// Hands out the binary form of a column as the server sent it; nil is NULL. It must not be
    /// kept. Throws `noSuchColumn`.
    package func withBytes<R>(
        at index: Int, _ body: (UnsafeRawBufferPointer?) throws -> R
    ) throws -> R {
        guard (0..<count).contains(index) else { throw PostgreSQLError(.noSuchColumn) }
        return try withCell(index) { try body($0.bytes) }
    }
}

extension Timestamp {
    /// From the eight bytes of a `timestamptz`. Throws `wrongType`, `datetimeFieldOverflow`.
    package init(binary bytes: UnsafeRawBufferPointer) throws {
        try self.init(microseconds: bytes.bigEndian(Int64.self))
    }
}
