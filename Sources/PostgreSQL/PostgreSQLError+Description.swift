extension PostgreSQLError: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line without data and without SQL, such as
    /// `a second row of one key was refused (SQLSTATE 23505, append-events)`.
    public var description: String {
        let place = place.map { ", \($0)" } ?? ""
        return "\(sentence) (SQLSTATE \(code.rawValue)\(place))"
    }

    /// The same as `description`: no road may show more.
    public var debugDescription: String { description }

    private var sentence: String {
        Self.sentences[code] ?? Self.categories[String(code.category)]
            ?? "PostgreSQL refused the statement"
    }

    private static let sentences: [Code: String] = [
        .unreachable: "PostgreSQL is not reachable",
        .connectionRejected: "PostgreSQL refused the connection",
        .connectionLost: "the connection to PostgreSQL was lost",
        .transactionResolutionUnknown:
            "the connection to PostgreSQL was lost while a transaction was being committed",
        .numericValueOutOfRange: "a number is out of range",
        .datetimeFieldOverflow: "an instant is out of range",
        .characterNotInRepertoire: "a text holds a character that PostgreSQL cannot store",
        .notNullViolation: "a required value is missing",
        .foreignKeyViolation: "a row points at a row that does not exist",
        .uniqueViolation: "a second row of one key was refused",
        .checkViolation: "a row does not satisfy a check",
        .activeTransaction: "a transaction is already open",
        .readOnly: "the database is read-only",
        .failedTransaction: "a statement of the transaction failed before",
        .invalidPassword: "PostgreSQL refused the log-in: the password is wrong or missing",
        .invalidCatalogName: "the database does not exist",
        .invalidSchemaName: "the schema does not exist",
        .serializationFailure: "the transaction lost against a concurrent one",
        .deadlockDetected: "the transaction was ended to resolve a deadlock",
        .insufficientPrivilege: "the database role lacks a privilege",
        .undefinedFunction: "a database function does not exist",
        .undefinedTable: "a table does not exist",
        .diskFull: "the disk of PostgreSQL is full",
        .tooManyConnections: "PostgreSQL has no connection left",
        .tooManyParameters: "a statement has too many parameters",
        .lockNotAvailable: "a lock could not be had in time",
        .queryCancelled: "the statement was cancelled or took too long",
        .adminShutdown: "PostgreSQL ended the connection",
        .crashShutdown: "PostgreSQL ended the connection after a crash",
        .cannotConnectNow: "PostgreSQL is starting or stopping",
        .raisedException: "a rule of the database refused the statement",
        .poolWaitExceeded: "no database connection came free in time",
        .poolClosed: "the database connections are closed",
        .poolQueueFull: "too many wait for a database connection",
        .serverTooOld: "PostgreSQL 15 or later is needed",
        .unexpectedNull: "a value is missing where one must be",
        .wrongType: "a column has another type than expected",
        .noSuchColumn: "the result lacks a column",
        .connectionBusy: "the database connection is closed or in the middle of a COPY",
        .invalidOptions: "the connection string cannot be read",
        .notABinaryCopy: "the statement is not the expected binary COPY",
    ]

    private static let categories: [String: String] = [
        "08": "the connection to PostgreSQL failed",
        "22": "a value does not fit its type",
        "23": "a rule of integrity refused a row",
        "28": "PostgreSQL refused the log-in",
        "40": "the transaction was rolled back",
        "42": "PostgreSQL did not understand the statement",
        "53": "PostgreSQL has too few resources",
        "54": "a limit of PostgreSQL is exceeded",
        "57": "an operator intervened",
        "58": "PostgreSQL met an error of its system",
        "XX": "PostgreSQL met an internal error",
    ]
}
