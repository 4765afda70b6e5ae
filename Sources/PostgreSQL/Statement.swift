/// A statement with a name, from `schema/sql/NAME.sql`, prepared once per connection.
public struct Statement: Sendable, Hashable {
    /// The file's name without its ending; also the name of the prepared statement.
    public let name: String
    /// One statement.
    public let sql: String

    /// A statement that is not in `schema/sql`, under a name of its own.
    public init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }
}

/// A step of the schema, from a folder `schema/NNNN-name/`.
public struct Migration: Sendable {
    /// Its place in the order, from 1 without gaps.
    public let number: Int
    /// The folder's name.
    public let name: String
    /// What it does, run once in a transaction.
    public let up: String
    /// One query that gives no row when the step stands as it should.
    public let verify: String

    /// Used by the build's plug-in.
    public init(number: Int, name: String, up: String, verify: String) {
        self.number = number
        self.name = name
        self.up = up
        self.verify = verify
    }
}
