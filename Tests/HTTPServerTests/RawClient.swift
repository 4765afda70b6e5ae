import Glibc

@testable import HTTPServer

/// Runs what blocks on a thread of its own: handlers and other tests need those of the pool.
func blocking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        do {
            try startThread { continuation.resume(with: Result { try body() }) }
        } catch {
            continuation.resume(throwing: error)
        }
    }
}

/// What a server sent, and how the connection ended.
struct Transcript: Sendable {
    enum Ending: Sendable {
        case closed
        case reset
        /// The server was still there when the time was up.
        case open
    }

    var bytes: [UInt8] = []
    var ending = Ending.open

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The codes of all status lines.
    var statuses: [Int] {
        text.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
    }

    /// The last answer's content.
    var body: String {
        guard let end = text.range(of: "\r\n\r\n") else { return "" }
        return String(text[end.upperBound...])
    }

    /// The value of a field of the answer, if it stands there once.
    func field(_ name: String) -> String? {
        let lines = text.split(separator: "\r\n\r\n").first?.split(separator: "\r\n") ?? []
        let found = lines.filter { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        guard found.count == 1 else { return nil }
        return String(found[0].dropFirst(name.count + 1).drop { $0 == " " })
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<String.Index>? {
        firstRange(of: text)
    }
}

/// A connection that sends any bytes whatever. Its calls block; see `blocking`.
final class RawClient {
    /// As long as an answer may take on a loaded machine, in milliseconds.
    static let patience = 120_000

    private let descriptor: Int32

    init(_ address: ServerAddress) throws {
        switch address {
        case .loopback(let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            name.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
            try Self.connect(descriptor, &name)
        case .unixSocket(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
            try Self.connect(descriptor, &name)
        }
    }

    deinit { close(descriptor) }

    private static func connect<Name>(_ descriptor: Int32, _ name: inout Name) throws {
        let result = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
            }
        }
        if result != 0 { throw ConnectError(code: errno) }
    }

    /// False when the server no longer takes it all.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Says that no more will be sent.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads until the server closes, or for so long.
    func receive(milliseconds: Int) -> Transcript {
        var transcript = Transcript()
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let left = (end - .now) / .milliseconds(1)
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&entry, 1, Int32(left.rounded(.up))) > 0 else { return transcript }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                transcript.ending = count == 0 ? .closed : .reset
                return transcript
            }
            transcript.bytes += buffer.prefix(count)
        }
    }
}

struct ConnectError: Error { let code: Int32 }

extension HTTPServer {
    /// Sends `bytes` on a new connection and reads until the server closes it.
    func answer(
        _ bytes: [UInt8], milliseconds: Int = RawClient.patience
    ) async throws -> Transcript {
        try await blocking { [address] in
            let client = try RawClient(address)
            client.send(bytes)
            return client.receive(milliseconds: milliseconds)
        }
    }

    func answer(_ text: String, milliseconds: Int = RawClient.patience) async throws -> Transcript {
        try await answer(Array(text.utf8), milliseconds: milliseconds)
    }
}
