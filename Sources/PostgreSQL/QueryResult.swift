import CPostgreSQL

/// Owns a result of libpq.
// SAFETY: a PGresult is never changed after libpq handed it out, and libpq's documentation allows
// reading it in any thread; it is freed once, when nobody refers to it.
final class QueryResult: @unchecked Sendable {
    let pointer: OpaquePointer
    let columns: Columns
    let place: String

    /// Takes over `pointer`.
    init(_ pointer: OpaquePointer, columns: Columns?, place: String) {
        self.pointer = pointer
        self.columns = columns ?? Columns(pointer)
        self.place = place
    }

    deinit { PQclear(pointer) }

    var count: Int { Int(PQntuples(pointer)) }

    /// The bytes of a field, valid as long as this object lives; nil is NULL.
    func bytes(row: Int32, column: Int32) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(pointer, row, column) == 0 else { return nil }
        let start = PQgetvalue(pointer, row, column)
        return UnsafeRawBufferPointer(
            start: start, count: Int(PQgetlength(pointer, row, column)))
    }
}

/// The names and types of a result's columns; a prepared statement always has the same.
final class Columns: Sendable {
    let types: [TypeIdentifier]
    let indices: [String: Int]

    init(_ result: OpaquePointer) {
        let columns = 0..<PQnfields(result)
        types = columns.map { TypeIdentifier(rawValue: PQftype(result, $0)) }
        let names = columns.map { PQfname(result, $0).map { String(cString: $0) } ?? "" }
        indices = Dictionary(zip(names, names.indices)) { first, _ in first }
    }
}
