internal import EventLog

/// Measures how many events an appender takes, one a call, from many tasks.
struct AppendRun {
    let connections: Int
    let seconds: Int

    /// Events per second, and the calls' median and 99th percentile in milliseconds.
    func measure(log: EventLog) async throws -> String {
        let appender = Appender(log)
        let run = UInt64.random(in: 0 ... .max)
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for connection in 0..<connections {
                group.addTask {
                    var times: [Duration] = []
                    while ContinuousClock.now < end {
                        let id = "\(run)/\(connection)/\(times.count)"
                        let before = ContinuousClock.now
                        _ = try await appender.append([LoadEvent.event(id: id)])
                        times.append(ContinuousClock.now - before)
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }.sorted()
        }
        let elapsed = Self.milliseconds(ContinuousClock.now - start) / 1_000
        let rate = Int(Double(times.count) / elapsed)
        let percentiles = [0.5, 0.99].map { part in
            times.isEmpty
                ? 0
                : Self.milliseconds(times[min(times.count - 1, Int(Double(times.count) * part))])
        }
        let rounded = percentiles.map { Double(Int($0 * 100)) / 100 }
        return "\(rate) \(rounded[0]) \(rounded[1])"
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1_000_000_000_000_000
    }
}
