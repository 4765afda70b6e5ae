extension PostgreSQLError {
    /// An SQLSTATE; what the client itself finds wrong has codes of the class `QU`, which no
    /// server uses. The set is open: any five characters may come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// Five characters, digits and capital letters.
        public let rawValue: String

        /// Any code, known here or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ rawValue: String) { self.rawValue = rawValue }

        /// The first two characters.
        public var category: Substring { rawValue.prefix(2) }
    }
}

/// Codes of PostgreSQL (its manual, appendix A).
extension PostgreSQLError.Code {
    /// No server answered.
    public static let unreachable = Self("08001")
    /// The server refused the connection before looking at who asks.
    public static let connectionRejected = Self("08004")
    /// An open connection broke.
    public static let connectionLost = Self("08006")
    /// The connection broke during COMMIT: nobody here knows whether it took place.
    public static let transactionResolutionUnknown = Self("08007")
    /// Something the server does not do; also a prepared plan whose result has changed.
    public static let featureNotSupported = Self("0A000")
    /// A number, or an array, is outside the range of its type.
    public static let numericValueOutOfRange = Self("22003")
    /// An instant outside the range of `timestamptz`.
    public static let datetimeFieldOverflow = Self("22008")
    /// Text that the encoding cannot hold, such as U+0000.
    public static let characterNotInRepertoire = Self("22021")
    /// A NULL in a column that refuses it.
    public static let notNullViolation = Self("23502")
    /// A row that points at none.
    public static let foreignKeyViolation = Self("23503")
    /// A second row of one key.
    public static let uniqueViolation = Self("23505")
    /// A row that a CHECK refuses.
    public static let checkViolation = Self("23514")
    /// `transaction` inside a transaction.
    public static let activeTransaction = Self("25001")
    /// A write to a standby, or in a read-only transaction.
    public static let readOnly = Self("25006")
    /// A transaction goes on after one of its statements failed.
    public static let failedTransaction = Self("25P02")
    /// A prepared statement that the server does not know (any more).
    public static let invalidStatementName = Self("26000")
    /// No such user, or no line of `pg_hba.conf` lets it in.
    public static let invalidAuthorization = Self("28000")
    /// A password is wrong or missing.
    public static let invalidPassword = Self("28P01")
    /// No such database.
    public static let invalidCatalogName = Self("3D000")
    /// No such schema.
    public static let invalidSchemaName = Self("3F000")
    /// A serializable or repeatable-read transaction must be tried again.
    public static let serializationFailure = Self("40001")
    /// Two transactions waited for each other, and this one was ended.
    public static let deadlockDetected = Self("40P01")
    /// The role lacks a privilege.
    public static let insufficientPrivilege = Self("42501")
    /// No such function.
    public static let undefinedFunction = Self("42883")
    /// No such table.
    public static let undefinedTable = Self("42P01")
    /// The disk is full.
    public static let diskFull = Self("53100")
    /// No connection is left.
    public static let tooManyConnections = Self("53300")
    /// More parameters than a statement may have (65,535).
    public static let tooManyParameters = Self("54023")
    /// A lock was not to be had at once, or within `lock_timeout`.
    public static let lockNotAvailable = Self("55P03")
    /// The statement was cancelled, or took longer than `statement_timeout`.
    public static let queryCancelled = Self("57014")
    /// The backend was ended by an administrator.
    public static let adminShutdown = Self("57P01")
    /// The backend was ended because another one crashed.
    public static let crashShutdown = Self("57P02")
    /// The server starts, stops or recovers.
    public static let cannotConnectNow = Self("57P03")
    /// `RAISE EXCEPTION` of a function, without a code of its own.
    public static let raisedException = Self("P0001")
}

/// Codes of this client.
extension PostgreSQLError.Code {
    /// No connection of the pool came free in time.
    public static let poolWaitExceeded = Self("QU001")
    /// The pool was closed.
    public static let poolClosed = Self("QU002")
    /// More are waiting for a connection than the pool lets wait.
    public static let poolQueueFull = Self("QU003")
    /// The server is older than PostgreSQL 15.
    public static let serverTooOld = Self("QU004")
    /// A NULL where the caller allows none.
    public static let unexpectedNull = Self("QU005")
    /// A column's type, or the length of its value, does not fit what the caller reads.
    public static let wrongType = Self("QU006")
    /// The result has no such column.
    public static let noSuchColumn = Self("QU007")
    /// The connection is in the middle of a COPY, or was closed.
    public static let connectionBusy = Self("QU008")
    /// The connection string cannot be read.
    public static let invalidOptions = Self("QU009")
    /// The statement is not the COPY that was promised (binary, and in the right direction).
    public static let notABinaryCopy = Self("QU010")
}
