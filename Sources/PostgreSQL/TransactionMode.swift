/// How a transaction sees the others, and whether it may write.
public struct TransactionMode: Sendable, Hashable {
    let begin: String

    /// Each statement sees what was committed before it began.
    public static let readCommitted = Self(begin: "begin isolation level read committed")
    /// All statements see what was committed before the first.
    public static let repeatableRead = Self(begin: "begin isolation level repeatable read")
    /// As if the transactions had run one after the other.
    public static let serializable = Self(begin: "begin isolation level serializable")
    /// One consistent view for reading only.
    public static let snapshot = Self(begin: "begin isolation level repeatable read read only")
}
