internal import Intake
internal import Synchronization

/// Shows how far an import is, and says how fast it went.
final class ImportBar: Sendable {
    private struct State {
        var start = ContinuousClock.now
        var first: ImportProgress?
        var last: ImportProgress?
    }

    /// What is smaller is in before anybody wonders how fast; in bytes.
    private static let bytesMin: Int64 = 1 << 20

    private let bar = ProgressBar("ingest")
    private let state = Mutex(State())

    func show(_ progress: ImportProgress) {
        let isFirst = state.withLock { state in
            let isFirst = state.first?.file != progress.file
            if isFirst {
                state.first = progress
                state.start = ContinuousClock.now
            }
            state.last = progress
            return isFirst
        }
        if isFirst, let line = progress.resumedAt {
            clear()
            Terminal.say("\(progress.file): goes on at line \(line)")
        }
        bar.show(progress.readBytes, of: progress.bytes, note: "\(progress.counts.total)")
    }

    func clear() { bar.clear() }

    /// Says how much came in, and how fast, where somebody looks or the file is large.
    func end(_ file: String) {
        clear()
        let (start, count, bytes) = state.withLock { state in
            let (first, last) = (state.first, state.last)
            return (
                state.start, (last?.counts.total ?? 0) - (first?.counts.total ?? 0),
                (last?.readBytes ?? 0) - (first?.readBytes ?? 0)
            )
        }
        guard bar.isShown || bytes >= Self.bytesMin else { return }
        let text = Throughput.text(Int64(count), "events", in: ContinuousClock.now - start)
        Terminal.say("\(file): \(text), \(bytes >> 20) MiB")
    }
}
