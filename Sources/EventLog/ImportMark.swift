internal import PostgreSQL

/// How far the import of a file was.
public struct ImportMark: Sendable, Equatable {
    /// How many bytes of the file were read, in bytes.
    public var readBytes: Int64
    /// The next line, from 1.
    public var line: Int64
    /// What became of the lines before: appended, duplicates, conflicts, refused, refused parts.
    public var counts: [Int64]

    /// - Parameter counts: five.
    public init(readBytes: Int64, line: Int64, counts: [Int64]) {
        precondition(counts.count == 5, "five counts")
        self.readBytes = readBytes
        self.line = line
        self.counts = counts
    }
}

extension EventLog {
    /// How far the import of a file was; `nil` if none was interrupted.
    /// - Parameter file: 32 bytes that stand for the file as it now is.
    public func importMark(of file: [UInt8]) async throws -> ImportMark? {
        try await pool.withConnection { connection in
            try connection.query(.importMarkRead, [.bytea(file)]).first.map { row in
                ImportMark(
                    readBytes: try row.value(at: 0), line: try row.value(at: 1),
                    counts: try (2..<7).map { try row.value(at: $0) })
            }
        }
    }

    /// Notes how far the import of a file is, once that is committed; `nil` when it is through.
    ///
    /// A mark only saves time. Where it cannot be written just now it stays what it was, which is
    /// as true: no import ends for that.
    public func setImportMark(_ mark: ImportMark?, of file: [UInt8]) async throws {
        do {
            try await writeImportMark(mark, of: file)
        } catch let error as PostgreSQLError where error.isConnectionLost || error.isTransient {
            return
        }
    }

    private func writeImportMark(_ mark: ImportMark?, of file: [UInt8]) async throws {
        try await pool.withConnection { connection in
            try connection.transaction { connection in
                _ = try connection.query(.importMarkLazily)
                guard let mark else {
                    _ = try connection.query(.importMarkDelete, [.bytea(file)])
                    return
                }
                _ = try connection.query(
                    .importMarkWrite,
                    [.bytea(file), .int64(mark.readBytes), .int64(mark.line)]
                        + mark.counts.map { .int64($0) })
            }
        }
    }
}
