import CPostgreSQL

/// What went wrong with PostgreSQL. It keeps nothing of the server's message, because that may
/// quote a value or the SQL: `description` is a plain sentence, the SQLSTATE and a place.
public struct PostgreSQLError: Error, Sendable, Equatable {
    /// What happened.
    public let code: Code
    /// Where: the name of a statement (and of a column), or the server's address.
    public let place: String?
    /// The name of the constraint that refused, if one did.
    public let constraint: String?
    /// The prepared plan is of no use any more; preparing the statement again helps.
    let isStalePlan: Bool

    /// An error that the client itself finds.
    public init(_ code: Code, place: String? = nil) {
        self.code = code
        self.place = place
        constraint = nil
        isStalePlan = false
    }

    /// The error of a result. One that libpq made itself has no code: the connection is lost.
    init(result: OpaquePointer, place: String?) {
        func field(_ key: Character) -> String? {
            let key = Int32(key.asciiValue ?? 0)
            return PQresultErrorField(result, key).map { String(cString: $0) }
        }
        code = field("C").map(Code.init(rawValue:)) ?? .connectionLost
        self.place = place
        constraint = field("n")
        // plancache.c refuses in this function when DDL has changed what a statement gives.
        isStalePlan =
            code == .invalidStatementName
            || (code == .featureNotSupported && field("R") == "RevalidateCachedQuery")
    }

    /// The five characters of the code.
    public var sqlState: String { code.rawValue }
}

extension PostgreSQLError {
    /// The connection is gone, or none could be made; another try may succeed later.
    public var isConnectionLost: Bool {
        code.category == "08" || Self.shutdowns.contains(code)
    }

    /// The service cannot be had as it stands; somebody must mend something (exit status 69).
    public var isUnavailable: Bool { Self.unavailable.contains(code) || code.category == "58" }

    /// The same again may succeed (exit status 75).
    public var isTransient: Bool {
        if isUnavailable { return false }
        return isConnectionLost || code.category == "40" || Self.transient.contains(code)
    }

    /// The role may not do that, or may not log in (exit status 77).
    public var isNotPermitted: Bool { code.category == "28" || code == .insufficientPrivilege }

    /// The transaction lost against another one and is to be run again from its start.
    var asksForAnotherTry: Bool {
        code == .serializationFailure || code == .deadlockDetected || isStalePlan
    }

    private static let shutdowns: Set<Code> = [.adminShutdown, .crashShutdown, .cannotConnectNow]
    private static let unavailable: Set<Code> = [
        .unreachable, .connectionRejected, .readOnly, .invalidCatalogName, .invalidSchemaName,
        .undefinedTable, .undefinedFunction, .diskFull, .serverTooOld, .invalidOptions,
    ]
    private static let transient: Set<Code> = [
        .tooManyConnections, .lockNotAvailable, .queryCancelled, .poolWaitExceeded, .poolQueueFull,
        Code(rawValue: "53200"), Code(rawValue: "53400"),
    ]
}
