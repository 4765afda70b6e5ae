import CPostgreSQL
import Glibc

/// Where and as whom to connect. What is not said here, libpq takes from the `PG*` variables, the
/// service file and the password file.
public struct ConnectionOptions: Sendable {
    /// The schema that unqualified names mean; nil leaves the server's setting.
    public var searchPath: String?
    /// The role to take on after log-in (`SET ROLE`).
    public var role: String?
    /// Shown in `pg_stat_activity`, unless the connection string or `PGAPPNAME` says another.
    public var applicationName: String
    /// Gets what the server remarks, on the connection's thread; it must not block.
    public var onNotice: (@Sendable (Notice) -> Void)?
    private let keywords: [String: String]

    /// From a connection string (keywords or URI, or only the name of a database), by libpq's own
    /// reader. Throws `invalidOptions`.
    public init(
        conninfo: String? = nil, searchPath: String? = nil, role: String? = nil,
        applicationName: String = "quittance"
    ) throws {
        try self.init(
            keywords: conninfo.map(Self.parse) ?? [:], searchPath: searchPath, role: role,
            applicationName: applicationName)
    }

    /// From libpq's keywords, such as `host` and `dbname`.
    public init(
        keywords: [String: String], searchPath: String? = nil, role: String? = nil,
        applicationName: String = "quittance"
    ) throws {
        let texts = keywords.values + [searchPath, role, applicationName].compactMap(\.self)
        guard !texts.contains(where: { $0.utf8.contains(0) }) else {
            throw PostgreSQLError(.invalidOptions)
        }
        self.keywords = keywords
        self.searchPath = searchPath
        self.role = role
        self.applicationName = applicationName
    }

    /// The same server and user, another database.
    public func database(_ name: String) throws -> Self {
        var options = try Self(
            keywords: keywords.merging(["dbname": name]) { $1 }, searchPath: searchPath,
            role: role, applicationName: applicationName)
        options.onNotice = onNotice
        return options
    }
}

extension ConnectionOptions {
    private static func parse(_ conninfo: String) throws -> [String: String] {
        let isURI = conninfo.hasPrefix("postgresql://") || conninfo.hasPrefix("postgres://")
        if !isURI && !conninfo.contains("=") {
            return conninfo.isEmpty ? [:] : ["dbname": conninfo]
        }
        guard !conninfo.utf8.contains(0), let options = PQconninfoParse(conninfo, nil) else {
            throw PostgreSQLError(.invalidOptions)
        }
        defer { PQconninfoFree(options) }
        return values(of: options)
    }

    /// The keywords of a list of libpq that have a value; the list ends with a null keyword.
    static func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var values: [String: String] = [:]
        var next = options
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val {
                values[String(cString: keyword)] = String(cString: value)
            }
            next += 1
        }
        return values
    }

    /// All that libpq is told. A dead peer is noticed within about 30 s, unless the user (or the
    /// service file, which explicit keywords would override) says otherwise.
    var parameters: [String: String] {
        var all = keywords
        let usesService = keywords["service"] != nil || getenv("PGSERVICE") != nil
        if !usesService {
            all.merge(Self.keepalives) { old, _ in old }
        }
        all["fallback_application_name"] = applicationName
        all["client_encoding"] = "UTF8"
        let given = keywords["options"] ?? getenv("PGOPTIONS").map { String(cString: $0) }
        all["options"] = ([given].compactMap(\.self) + settings).joined(separator: " ")
        return all
    }

    private static let keepalives = [
        "tcp_user_timeout": "20000", "keepalives_idle": "10", "keepalives_interval": "5",
        "keepalives_count": "3",
    ]

    /// Temporary tables come last, so that none can stand in for one of the ledger's.
    private var settings: [String] {
        let path = searchPath.map { "search_path=\(quotedIdentifier($0)),pg_temp" }
        return ["TimeZone=UTC", path].compactMap(\.self).map { "-c \(Self.escapedOption($0))" }
    }

    /// White space separates command-line options of the server, a backslash takes that away.
    private static func escapedOption(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if character.isWhitespace || character == "\\" { result.append("\\") }
            result.append(character)
        }
    }
}

extension ConnectionOptions: CustomStringConvertible, CustomReflectable {
    /// The server's address and the database, never the password.
    public var description: String {
        ["host", "port", "dbname", "service"]
            .compactMap { key in keywords[key].map { "\(key)=\($0)" } }
            .joined(separator: " ")
    }

    /// Nothing: a dump must not show the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A name as SQL takes it, whatever it holds (but U+0000).
public func quotedIdentifier(_ name: String) -> String {
    let doubled = name.reduce(into: "") { result, character in
        if character == "\"" { result.append("\"") }
        result.append(character)
    }
    return "\"\(doubled)\""
}
