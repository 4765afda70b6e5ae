internal import EventLog
internal import Glibc

/// Who does something to what is kept, and why.
enum ActOptions {
    static let all = [
        Option(
            name: "reason", value: "TEXT", summary: "why, for the audit; needed"),
        Option(
            name: "by", value: "NAME", summary: "who does it (else the name of the system's user)"),
    ]

    /// The act that the options describe.
    static func act(_ action: String, _ arguments: Arguments) throws -> AdminAct {
        guard let reason = try arguments.value("reason"), !reason.isEmpty else {
            throw UsageError("--reason is needed: it is kept for the audit")
        }
        let actor = try arguments.value("by") ?? systemUser()
        guard (1...1_024).contains(actor.utf8.count) else {
            throw UsageError("--by is a name of 1 to 1,024 bytes")
        }
        return AdminAct(
            action: action, actor: actor, reason: reason, at: currentMilliseconds())
    }

    static func systemUser() -> String {
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else {
            return "uid \(getuid())"
        }
        return String(cString: name)
    }
}
