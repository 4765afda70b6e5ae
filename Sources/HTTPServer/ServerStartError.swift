internal import Glibc

/// Why a server could not start.
public struct ServerStartError: Error, Sendable, CustomStringConvertible {
    /// What failed, and why.
    public let description: String

    init(_ what: String, _ code: Int32) {
        description = "\(what): \(String(cString: strerror(code)))"
    }

    init(_ what: String) { description = what }
}
