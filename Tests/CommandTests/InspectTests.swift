import Foundation
import JSON
import Simulator
import TestKit
import Testing

@Suite("inspect")
struct InspectTests {
    private let folder: TemporaryFolder
    private let quittance = Program(name: "quittance")
    private let root: String

    init() throws {
        folder = try TemporaryFolder()
        root = try folder.file("root.der", TestApple.chain.rootDER)
    }

    private var notification: [UInt8] {
        TestApple.notification(uuid: "u", transaction: TestApple.transaction("7"))
    }

    @Test("tells kind, verification and payload, and the nested parts alike")
    func json() throws {
        let file = try folder.file("body", TestApple.body(notification))
        let output = try quittance.run("inspect", "--json", "--trust", root, file)
        #expect(output.status == 0 && output.errors.isEmpty)
        let report = try output.json()
        #expect(report["kind"]?.string == "notification")
        let verification = try #require(report["verification"])
        #expect(verification["status"]?.string == "verified")
        #expect(verification["reason"]?.isNull != false)
        #expect(verification["verifiedFor"]?.int64 == TestApple.noon)
        #expect(verification["anchor"]?.string?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(report.at("payload", "notificationUUID")?.string == "u")
        let nested = try #require(report["nested"]?.array?.first)
        #expect(nested["kind"]?.string == "transaction")
        #expect(nested.at("verification", "status")?.string == "verified")
        #expect(nested.at("payload", "transactionId")?.string == "7")
    }

    @Test("in words, a heading for each of several files")
    func text() throws {
        let one = try folder.file("one", TestApple.transaction("7"))
        let two = try folder.file("two", notification)
        let output = try quittance.run("inspect", "--trust", root, one, two)
        #expect(output.status == 0)
        #expect(output.text.hasPrefix("== \(one)\n") && output.text.contains("== \(two)\n"))
        #expect(output.text.contains("verified"))
        let alone = try quittance.run(["inspect", "--trust", root, "-"], input: notification)
        #expect(alone.status == 0 && !alone.text.contains("=="))
    }

    @Test(
        "refuses what was not expected, with its reason: exit 4",
        arguments: [
            (["--bundle", "com.example.other"], "wrong-bundle"),
            (["--app-apple-id", "7"], "wrong-app-id"),
            (["--environment", "Sandbox"], "wrong-environment"),
            (["--at", "4102444800000"], nil), (["--at", "2524608000000"], "chain-expired"),
            (["--at", "now"], nil), (["--bundle", TestApple.bundle], nil),
        ] as [([String], String?)])
    func expectations(options: [String], reason: String?) throws {
        let file = try folder.file("n", notification)
        let expired = options.last == "4102444800000" ? "chain-expired" : reason
        let output = try quittance.run(["inspect", "--json", "--trust", root] + options + [file])
        let verification = try output.json()["verification"]
        #expect(verification?["reason"]?.string == expired)
        #expect(output.status == (expired == nil ? 0 : 4))
    }

    @Test("trusts nothing but Apple's roots and those it is told")
    func untrusted() throws {
        let file = try folder.file("n", notification)
        let output = try quittance.run("inspect", "--json", file)
        #expect(output.status == 4)
        #expect(try output.json().at("verification", "reason")?.string == "untrusted-chain")
        var trusting = quittance
        trusting.environment["QUITTANCE_TRUST"] = root
        #expect(try trusting.run("inspect", file).status == 0)
        trusting.environment["QUITTANCE_TRUST"] = "\(root):\(folder.path)/nowhere"
        let wrong = try trusting.run("inspect", file)
        #expect(wrong.status == 1 && wrong.errorLines.count == 1)
    }

    @Test("an unreadable file is exit 1, and the others are told all the same")
    func unreadable() throws {
        let file = try folder.file("n", notification)
        let output = try quittance.run("inspect", "--json", folder.path + "/no", file)
        #expect(output.status == 1 && output.lines.count == 1)
        #expect(output.errors == "quittance: \(folder.path)/no: No such file or directory\n")
        let isFolder = try quittance.run("inspect", folder.path)
        #expect(isFolder.status == 1 && isFolder.errors.contains("is a folder"))
    }

    @Test("bad input is told with its reason, never a failure", arguments: BadFile.all)
    func bad(input: BadFile) throws {
        let file = try folder.file("bad", input.bytes)
        for options in [["--json"], []] {
            let output = try quittance.run(["inspect", "--trust", root] + options + [file])
            #expect(output.status == 4 && output.errors.isEmpty)
            #expect(output.text.contains(input.reason))
        }
    }
}

/// A file that holds nothing to believe.
struct BadFile: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let reason: String

    var testDescription: String { name }

    static let all: [BadFile] = {
        let payload = TestApple.signer.transactionPayload(
            .init(transactionId: "7", productId: "p", purchaseDate: TestApple.noon))
        func signed(_ name: String, _ reason: String, _ change: (inout SigningOptions) -> Void)
            -> BadFile
        {
            var options = SigningOptions()
            change(&options)
            let jws = TestApple.chain.sign(payload: payload, options: options)
            return BadFile(name: name, bytes: jws, reason: reason)
        }
        let whole = TestApple.transaction("7")
        let certificates = [
            TestApple.chain.leafDER, TestApple.chain.intermediateDER, TestApple.chain.rootDER,
            TestApple.chain.rootDER,
        ]
        let long = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        return [
            BadFile(name: "empty", bytes: [], reason: "unknown-kind"),
            BadFile(name: "binary", bytes: [0, 1, 255, 10, 3], reason: "unknown-kind"),
            BadFile(name: "truncated", bytes: Array(#"{"a":"#.utf8), reason: "malformed"),
            BadFile(name: "deeply nested", bytes: long, reason: "malformed"),
            BadFile(
                name: "a name twice", bytes: Array(#"{"a":1,"a":2}"#.utf8), reason: "malformed"),
            BadFile(
                name: "not UTF-8", bytes: [123, 34, 255, 34, 58, 49, 125], reason: "malformed"),
            BadFile(
                name: "a bare U+0000", bytes: Array("{\"a\":\"\0\"}".utf8), reason: "malformed"),
            BadFile(
                name: "100 MB",
                bytes: [UInt8](repeating: 97, count: Effort.times(17 << 20, full: 100_000_000)),
                reason: "too-large"),
            BadFile(
                name: "two parts", bytes: Array("eyJhIjoxfQ.eyJhIjoxfQ".utf8), reason: "malformed"),
            BadFile(name: "four parts", bytes: whole + Array(".AAAA".utf8), reason: "malformed"),
            signed("alg none", "bad-algorithm") { $0.algorithm = "none" },
            signed("alg HS256", "bad-algorithm") { $0.algorithm = "HS256" },
            signed("alg ES384", "bad-algorithm") { $0.algorithm = "ES384" },
            signed("r is zero", "bad-signature") { $0.signatureFlaw = .zeroR },
            signed("s is zero", "bad-signature") { $0.signatureFlaw = .zeroS },
            signed("63 bytes", "malformed") { $0.signatureFlaw = .short },
            signed("65 bytes", "malformed") { $0.signatureFlaw = .long },
        ]
            + [0, 1, 2, 4].map { count in
                signed("\(count) certificates", "malformed") {
                    $0.certificates = Array(certificates.prefix(count))
                }
            }
    }()
}
