import EventLog
import PostgreSQL
import TestKit
import Testing

@Suite(
    "An independent program agrees",
    .enabled(if: Program.exists("python3") && Program.exists("psql"), "needs python3 and psql"))
struct IndependentTests {
    /// `tools/verify-log` on an export of the log, against its published checkpoint.
    private func verify(_ log: TamperedLog, isPublished: Bool = true) async throws
        -> (status: Int32, output: String)
    {
        let folder = try TemporaryFolder()
        let checkpoint = try folder.file("checkpoint", Array(log.checkpoint.text.utf8))
        let tool = "python3 '\(Program.repository)/tools/verify-log'"
        let arguments = isPublished ? "--checkpoint '\(checkpoint)'" : ""
        return try await Program.shell(
            """
            psql "\(log.fresh.options.description) user=postgres" -XAtqc \
            "$(\(tool) --query \(log.fresh.ledger.name))" | \(tool) \(arguments)
            """)
    }

    @Test("on a log as it was written: the same root, and the checkpoint's")
    func genuine() async throws {
        let log = try await TamperedLog.make()
        let (status, output) = try await verify(log)
        #expect(status == 0, "\(output)")
        let text = Checkpoint(try await log.fresh.log.head()).text
        let lines = text.split(separator: "\n")
        #expect(output.contains("\n\(lines[1])\n\(lines[2])\n"))
    }

    @Test(
        "on each tampering",
        arguments: [
            "delete from event_log where position = 1",
            "delete from event_log where position = 444",
            "delete from event_log where position > 890",
            """
            update event_log set position = 10000 + position where position in (700, 800);
            update event_log set position = 11500 - position where position > 10000
            """,
            "update event_log set body = '{}' where position = 5",
            "update event_log set recorded_at = 'epoch' where position = 5",
            "update event_log set personal = personal || '\\x00' where position = 3",
            "update event_log set personal = null, personal_salt = null where position = 6",
        ])
    func tampered(change: String) async throws {
        let log = try await TamperedLog.make()
        try await log.tamper(change)
        #expect(try await verify(log).status == 4)
    }

    @Test("on an event that stands twice in a log that was chained anew")
    func doubled() async throws {
        let log = try await TamperedLog.make()
        try await log.doubleEvent()
        let (status, output) = try await verify(log, isPublished: false)
        #expect(status == 4)
        #expect(output.contains("an event stands in the log twice (1, first at position 700)"))
    }

    @Test("on a log that was rewritten and chained anew: only against the checkpoint")
    func rewritten() async throws {
        let log = try await TamperedLog.make()
        try await log.tamper("update event_log set body = '{}' where position = 234")
        try await log.rechain()
        #expect(try await verify(log, isPublished: false).status == 0)
        let (status, output) = try await verify(log)
        #expect(status == 4)
        #expect(output.contains("not the one of the checkpoint"))
    }

    @Test("on the test vectors, texts with every escape, and values before 1970")
    func escapes() async throws {
        let fresh = try await FreshLog.make()
        var odd = newEvent(id: "tab\tline\nbackslash\\ \u{1}\u{7f} ü 漢 \\N", receivedAt: -1)
        odd.subject = ""
        odd.time = -62_135_596_800_000
        odd.keys = EventKeys(orderNumber: [], transactionId: [0, 10, 9])
        odd.evidence = [
            Evidence(bytes: [1], range: nil), Evidence(bytes: odd.received, range: nil),
        ]
        _ = try await fresh.log.append([odd, newEvent(id: "\\.")])
        let log = TamperedLog(
            fresh: fresh, checkpoint: Checkpoint(try await fresh.log.head()),
            superuser: try await fresh.connect())
        let (status, output) = try await verify(log)
        #expect(status == 0, "\(output)")
    }
}
