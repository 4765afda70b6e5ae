import CPostgreSQL

/// The rows of a result. They stay valid after the connection is closed.
public struct Rows: RandomAccessCollection, Sendable {
    let result: QueryResult

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of rows.
    public var endIndex: Int { result.count }

    /// A row; the index must be in range.
    public subscript(position: Int) -> Row {
        precondition(indices.contains(position), "row out of range")
        return Row(source: .result(result, row: Int32(position)))
    }

    /// How many rows an INSERT, UPDATE, DELETE or SELECT touched; 0 for other statements.
    public var affectedCount: Int {
        PQcmdTuples(result.pointer).flatMap { Int(String(cString: $0)) } ?? 0
    }
}

/// A row of a result, or of a COPY (which has no names and no types: use the index, and the type
/// that the column really has).
public struct Row: Sendable {
    enum Source: Sendable {
        case result(QueryResult, row: Int32)
        case copied(CopiedRow)
    }

    let source: Source

    /// The number of columns.
    public var count: Int {
        switch source {
        case .result(let result, _): result.columns.types.count
        case .copied(let row): row.count
        }
    }

    /// The value of a column, by its name. Throws `noSuchColumn`, `unexpectedNull`, `wrongType`.
    public func value<T: RowValue>(_ column: String, as type: T.Type = T.self) throws -> T {
        guard case .result(let result, _) = source, let index = result.columns.indices[column]
        else { throw PostgreSQLError(.noSuchColumn, place: "\(place).\(column)") }
        return try value(at: index, place: column)
    }

    /// The value of a column, by its index from 0.
    public func value<T: RowValue>(at index: Int, as type: T.Type = T.self) throws -> T {
        guard (0..<count).contains(index) else {
            throw PostgreSQLError(.noSuchColumn, place: "\(place).\(index)")
        }
        return try value(at: index, place: String(index))
    }

    private func value<T: RowValue>(
        at index: Int, place column: @autoclosure () -> String
    ) throws -> T {
        do {
            return try withCell(index) { try T(cell: $0) }
        } catch let error as PostgreSQLError {
            throw PostgreSQLError(error.code, place: "\(place).\(column())")
        }
    }

    func withCell<R>(_ index: Int, _ body: (Cell) throws -> R) rethrows -> R {
        switch source {
        case .result(let result, let row):
            try withExtendedLifetime(result) {
                let bytes = result.bytes(row: row, column: Int32(index))
                return try body(Cell(bytes: bytes, type: result.columns.types[index]))
            }
        case .copied(let row):
            try withExtendedLifetime(row) { try body(Cell(bytes: row[index], type: nil)) }
        }
    }

    private var place: String {
        switch source {
        case .result(let result, _): result.place
        case .copied(let row): row.place
        }
    }
}
