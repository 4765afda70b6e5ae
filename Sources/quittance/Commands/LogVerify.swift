internal import Cryptography
internal import EventLog
internal import Intake

/// `log verify`: computes the log anew and compares.
enum LogVerify {
    static let description = CommandDescription(
        words: ["log", "verify"], summary: "check that the log holds what it held",
        synopsis: "[--full] [--checkpoint FILE]…",
        options: Database.options + [
            Option(name: "full", summary: "also the bytes of all evidence"),
            Option(
                name: "checkpoint", value: "FILE",
                summary: "a checkpoint that was printed earlier", isRepeatable: true),
        ],
        discussion: """
            Computes leaves, positions, instants, personal values, tiles, root and head anew from
            the rows, and compares. Whoever owns the database could rewrite all of it together:
            that is found only against a checkpoint kept elsewhere. Exit 4 if anything is not as
            it was.
            """, run: run)

    private static let checkpointBytesMax = 65_536

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let checkpoints = try arguments.all("checkpoint").map(readCheckpoint)
        let log = try await Database(arguments).openLog()
        let bar = ProgressBar("checking")
        let start = ContinuousClock.now
        let verifier = LogVerifier(of: log, parallelism: 3) { bar.show($0, of: $1) }
        let report = try await verifier.verify(
            against: checkpoints, withEvidence: arguments.has("full"))
        bar.clear()
        Terminal.say(Throughput.text(report.size, "events", in: ContinuousClock.now - start))
        let logId = try await log.head().logId
        for checkpoint in checkpoints where !checkpoint.origin.hasSuffix("/\(logId)") {
            Terminal.say("the checkpoint of \(checkpoint.origin) is of another log")
        }
        for finding in report.findings {
            let place = finding.position.map { ", first at position \($0)" } ?? ""
            Terminal.print("\(finding.kind.rawValue) (\(finding.count)\(place))")
        }
        guard report.findings.isEmpty else { return .discrepancies }
        let root = Hexadecimal.encode(report.root)
        Terminal.print("\(report.size) events, root \(root): as they were written")
        return .ok
    }

    private static func readCheckpoint(_ path: String) throws -> Checkpoint {
        do {
            let bytes = try InputReader.contents(of: path, bytesMax: checkpointBytesMax)
            guard let checkpoint = Checkpoint(String(decoding: bytes, as: UTF8.self)) else {
                throw CommandFailure(message: "\(path) holds no checkpoint")
            }
            return checkpoint
        } catch let error as InputError {
            throw CommandFailure(message: "\(path): \(error.reason)")
        }
    }
}
