/// What a connection has prepared: a bounded cache, the least recently used goes first.
struct PreparedStatements {
    struct Entry {
        /// The name at the server; a number makes it differ from an older one that is still there.
        let name: String
        let sql: String
        let types: [UInt32]
        var columns: Columns?
        var usedAt: Int
    }

    /// No more than this many stay prepared on one connection.
    static let countMax = 256

    private var entries: [String: Entry] = [:]
    private var clock = 0
    /// Names at the server that are of no use any more.
    private(set) var discarded: [String] = []

    /// The entry of a statement, unless it was prepared with other SQL or other types.
    mutating func entry(for statement: Statement, types: [UInt32]) -> Entry? {
        guard let entry = entries[statement.name] else { return nil }
        guard entry.sql == statement.sql, entry.types == types else {
            forget(statement)
            return nil
        }
        clock += 1
        entries[statement.name]?.usedAt = clock
        return entry
    }

    /// A name that the server does not know yet.
    mutating func newName(for statement: Statement) -> String {
        clock += 1
        return "\(statement.name)#\(clock)"
    }

    /// Gives up the least recently used, so that one more fits.
    mutating func makeRoom() {
        guard entries.count >= Self.countMax,
            let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt })
        else { return }
        discarded.append(oldest.value.name)
        entries[oldest.key] = nil
    }

    /// `makeRoom` comes first.
    mutating func insert(_ statement: Statement, name: String, types: [UInt32]) {
        entries[statement.name] = Entry(
            name: name, sql: statement.sql, types: types, columns: nil, usedAt: clock)
        assert(entries.count <= Self.countMax)
    }

    mutating func remember(_ columns: Columns, of statement: Statement) {
        entries[statement.name]?.columns = columns
    }

    mutating func forget(_ statement: Statement) {
        guard let entry = entries.removeValue(forKey: statement.name) else { return }
        discarded.append(entry.name)
    }

    /// The names to deallocate; they are handed out once.
    mutating func takeDiscarded() -> [String] {
        defer { discarded = [] }
        return discarded
    }
}
