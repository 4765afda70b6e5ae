import Foundation
import JSON
import Simulator
import TestKit
import Testing

@Suite("The claims board")
struct ClaimsBoardTests {
    @Test(
        "is right for any seed, and a second import changes nothing",
        arguments: [UInt64(1), 2, 20_260_314])
    func rightVerdicts(seed: UInt64) async throws {
        let sample = try Sample(seed: seed)
        defer { sample.remove() }
        var quittance = Program(name: "quittance")
        quittance.environment = try await Cluster.durable.databaseEnvironment()
        quittance.environment["QUITTANCE_TRUST"] = sample.path("trust/root.der")

        try #require(try quittance.run("schema", "up").status == 0)
        let first = try sample.ingest(with: quittance)
        #expect(first.status == 4, "the sample holds one forged proof: \(first.errors)")
        let projection = try quittance.run("projection", "run")
        #expect(projection.status == 0, "\(projection.errors)")
        let board = try quittance.run("claim", "list", "--json")
        try sample.check(board)

        // A period of the policy may end between the two boards, so they are not compared.
        #expect(try sample.ingest(with: quittance).text.hasPrefix("appended 0  duplicate "))
        #expect(try quittance.run("projection", "run").status == 0)
        try sample.check(try quittance.run("claim", "list", "--json"))
    }
}

/// A sample day of yesterday, so that what waits in it still waits, as files.
private struct Sample {
    private let day: SampleDay
    private let folder: URL

    init(seed: UInt64) throws {
        let yesterday = Date.now.addingTimeInterval(-86_400).ISO8601Format().prefix(10)
        day = try SampleDay(seed: seed, day: String(yesterday))
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        for file in day.files {
            let place = folder.appending(path: file.path)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.bytes).write(to: place)
        }
    }

    func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func ingest(with quittance: Program) throws -> Program.Output {
        let receivedAt = try String(contentsOfFile: path("received-at"), encoding: .utf8)
        return try quittance.run(
            "ingest", "--received-at", receivedAt.trimmingCharacters(in: .newlines),
            path("events.ndjson"), path("notifications.ndjson"))
    }

    /// Each claim's verdict is the one its story deserves.
    func check(_ board: Program.Output) throws {
        #expect(board.status == 0, "\(board.errors)")
        let claims = try board.lines.map { try JSONValue(parsing: $0) }
        let verdicts = claims.reduce(into: [String: String]()) { verdicts, claim in
            verdicts[claim["claimId"]?.string ?? ""] = claim.at("verdict", "code")?.string
        }
        #expect(verdicts.count == day.expectations.count)
        for expectation in day.expectations {
            #expect(
                verdicts[expectation.claimId] == expectation.verdict, "\(expectation.claimId)")
        }
    }
}
