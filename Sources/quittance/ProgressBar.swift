internal import Glibc
internal import Synchronization

/// A line on standard error that is written over again; only where somebody looks at it.
final class ProgressBar: Sendable {
    private static let width = 30
    private static let pause = Duration.milliseconds(100)

    private let label: String
    /// Whether standard error is a terminal.
    let isShown: Bool
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    init(_ label: String) {
        self.label = label
        isShown = isatty(STDERR_FILENO) == 1
    }

    /// Shows how much of how much is done, a few times a second.
    /// - Parameter note: stands behind the bar.
    func show(_ done: Int64, of total: Int64, note: String = "") {
        guard isShown else { return }
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            guard let before = last, now - before < Self.pause else {
                last = now
                return true
            }
            return false
        }
        guard isDue else { return }
        Terminal.showProgress("\(label) \(Self.bar(done, of: total)) \(note)")
    }

    /// Takes the line away, until something is shown again.
    func clear() {
        if isShown { Terminal.showProgress("") }
    }

    static func bar(_ done: Int64, of total: Int64) -> String {
        guard total > 0 else { return "" }
        let done = min(max(done, 0), total)
        let filled = Int(done * Int64(width) / total)
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: "-", count: width - filled)
        return "[\(bar)] \(done * 100 / total) %"
    }
}

/// How fast something went.
enum Throughput {
    /// `1200 events in 0.5 s, 2400 a second`.
    static func text(_ count: Int64, _ things: String, in duration: Duration) -> String {
        let seconds =
            Double(duration.components.seconds)
            + Double(duration.components.attoseconds) / 1_000_000_000_000_000_000
        let rate = seconds > 0 ? Int64(Double(count) / seconds) : count
        let tenths = Int64((seconds * 10).rounded())
        return "\(count) \(things) in \(tenths / 10).\(tenths % 10) s, \(rate) a second"
    }
}
