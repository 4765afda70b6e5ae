/// A statement with a name, from `schema/sql/NAME.sql`, prepared once per connection.
public struct Statement: Sendable, Hashable {
    /// The file's name without its ending; also the name of the prepared statement.
    public let name: String
    /// The text, with `$1`, `$2`… where parameters go.
    public let sql: String

    /// A statement of that name.
    public init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }
}

/// A step of the schema, from a folder `schema/NNNN-name/`.
public struct Migration: Sendable {
    /// From 1; migrations run in this order.
    public let number: Int
    /// The folder's name.
    public let name: String
    /// What it does, run once in a transaction.
    public let up: String
    /// One query that gives no row when the step stands as it should.
    public let verify: String

    /// A step from its parts.
    public init(number: Int, name: String, up: String, verify: String) {
        self.number = number
        self.name = name
        self.up = up
        self.verify = verify
    }
}
