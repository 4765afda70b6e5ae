import CPostgreSQL
import Glibc

/// A NOTIFY that came.
public struct Notification: Sendable, Hashable {
    /// The channel's name.
    public let channel: String
    /// Up to 8,000 bytes; empty if none was given.
    public let payload: String
    /// The backend that sent it; a connection hears itself too.
    public let process: Int32
}

extension Connection {
    /// Subscribes to a channel, until the connection is closed. (A standby refuses it.)
    public func listen(_ channel: String) throws {
        precondition(!channel.utf8.contains(0) && channel.utf8.count <= 63, "no channel's name")
        try execute("listen \(quotedIdentifier(channel))", on: ready("listen"), place: "listen")
        isListening = true
    }

    /// The next notification, or nil when none comes within the time (up to an hour). Throws
    /// `connectionLost` when the server is gone, and `CancellationError` when the task is
    /// cancelled.
    public func waitForNotification(timeoutMilliseconds: Int) throws -> Notification? {
        precondition((0...3_600_000).contains(timeoutMilliseconds), "time out of range")
        let handle = try ready("wait")
        let deadline = ContinuousClock.now + .milliseconds(timeoutMilliseconds)
        while true {
            try checkNotCancelled()
            guard PQconsumeInput(handle.pointer) == 1 else {
                throw handle.lost("wait")
            }
            if let notification = nextNotification(handle) { return notification }
            // In slices, because nothing else tells this thread that its task was cancelled.
            let slice = min(deadline, ContinuousClock.now + .milliseconds(100))
            if !handle.wait(for: POLLIN, until: slice), ContinuousClock.now >= deadline {
                return nil
            }
        }
    }

    private func nextNotification(_ handle: ConnectionHandle) -> Notification? {
        guard let pointer = PQnotifies(handle.pointer) else { return nil }
        defer { PQfreemem(pointer) }
        return Notification(
            channel: String(cString: pointer.pointee.relname),
            payload: String(cString: pointer.pointee.extra), process: pointer.pointee.be_pid)
    }

    /// Whether the server still holds the other end, as far as this end has been told.
    func isAlive() -> Bool {
        guard let handle, handle.isOpen else { return false }
        // A backend that was ended leaves a message and then the end of the stream.
        for _ in 0..<16 {
            if !handle.wait(for: POLLIN, until: ContinuousClock.now) { return true }
            if PQconsumeInput(handle.pointer) != 1 { return false }
        }
        return false
    }
}
