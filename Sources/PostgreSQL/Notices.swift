import CPostgreSQL

/// A NOTICE or WARNING of the server, without its text, which may quote data.
public struct Notice: Sendable, Hashable {
    /// `NOTICE`, `WARNING`, `INFO`, `LOG` or `DEBUG`, whatever the server's language.
    public let severity: String
    /// The SQLSTATE, `00000` for most.
    public let sqlState: String

    /// For those who compare.
    public init(severity: String, sqlState: String) {
        self.severity = severity
        self.sqlState = sqlState
    }
}

/// Takes what the server remarks, which libpq would otherwise print to stderr.
final class NoticeSink {
    private(set) var count = 0
    private let handler: (@Sendable (Notice) -> Void)?

    init(_ handler: (@Sendable (Notice) -> Void)?) { self.handler = handler }

    func receive(_ notice: Notice) {
        count += 1
        handler?(notice)
    }

    /// The sink must live as long as `connection`.
    func attach(to connection: OpaquePointer) {
        PQsetNoticeReceiver(connection, receiveNotice, Unmanaged.passUnretained(self).toOpaque())
    }
}

/// Called by libpq on the connection's own thread, in the middle of another call of libpq.
private func receiveNotice(_ sink: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
    guard let sink else { return }
    func field(_ key: Character) -> String {
        PQresultErrorField(result, Int32(key.asciiValue ?? 0)).map { String(cString: $0) } ?? ""
    }
    Unmanaged<NoticeSink>.fromOpaque(sink).takeUnretainedValue()
        .receive(Notice(severity: field("V"), sqlState: field("C")))
}
