internal import Cryptography
internal import EventLog

/// A file on its way into the log, and how far it was when its import was interrupted.
struct ImportFile: ~Copyable {
    let path: String
    /// Where an earlier import was interrupted; `nil` if this one begins at the beginning.
    let mark: ImportMark?
    private(set) var isEmpty: Bool
    private var reader: InputReader
    /// What stands for the file as it is, and for how it is read; `nil` for what cannot be read
    /// again.
    private let identity: [UInt8]?
    private let countsBefore: ImportCounts
    private var markedAt = ContinuousClock.now

    /// Opens the file, and goes on where its import was interrupted.
    /// - Parameters:
    ///   - options: what the import was told: one that was told otherwise begins at the beginning.
    ///   - countsBefore: what became of the files before this one.
    /// - Throws: `InputError`, and what reading the mark throws.
    init(path: String, log: EventLog, options: [UInt8], countsBefore: ImportCounts) async throws {
        var reader = try InputReader(path: path)
        let identity = try reader.identity().map { SHA256.hash(SHA256.hash(options) + $0) }
        var mark: ImportMark?
        if let identity { mark = try await log.importMark(of: identity) }
        if let mark {
            try reader.go(to: InputPlace(offset: mark.readBytes, line: Int(mark.line)))
        }
        self.path = path
        self.reader = reader
        self.identity = identity
        self.mark = mark
        self.countsBefore = countsBefore
        isEmpty = mark == nil
    }

    var readBytes: Int64 { reader.place.offset }
    var bytes: Int64 { reader.size }

    var mustWait: Bool { reader.mustWait }

    mutating func nextBatch() throws(InputError) -> ImportBatch? {
        let batch = try reader.nextBatch()
        if batch != nil { isEmpty = false }
        return batch
    }

    func isMarkDue(after pause: Duration) -> Bool {
        identity != nil && ContinuousClock.now - markedAt >= pause
    }

    /// Notes that all before a place is in the log.
    mutating func mark(_ end: InputPlace, counts: ImportCounts, in log: EventLog) async throws {
        guard let identity else { return }
        let mark = ImportMark(
            readBytes: end.offset, line: Int64(end.line), counts: counts.since(countsBefore))
        try await log.setImportMark(mark, of: identity)
        markedAt = ContinuousClock.now
    }

    /// The file is through: next time it is read from its beginning.
    func finish(in log: EventLog) async throws {
        if let identity { try await log.setImportMark(nil, of: identity) }
    }
}
