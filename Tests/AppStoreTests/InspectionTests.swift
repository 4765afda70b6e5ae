import AppStore
import JSON
import Simulator
import Testing

@Suite struct InspectionTests {
    func body(_ transaction: [UInt8] = World.signed()) -> [UInt8] {
        World.signer.notificationBody(
            NotificationFields(
                "ONE_TIME_CHARGE", notificationUUID: "u", signedDate: noon2026 - 1000,
                signedTransactionInfo: transaction))
    }

    @Test("the JSON form of a notification and the transaction inside")
    func json() throws {
        let report = inspect(body(), reader: try World.reader())
        let json = try JSONValue(parsing: report.json)
        #expect(json["kind"]?.string == "notification")
        #expect(json.at("verification", "status")?.string == "verified")
        #expect(json.at("verification", "reason")?.isNull == true)
        #expect(json.at("verification", "verifiedFor")?.int64 == noon2026 - 1000)
        #expect(json.at("verification", "anchor")?.string == report.verification.anchor)
        #expect(json.at("payload", "notificationType")?.string == "ONE_TIME_CHARGE")
        let nested = try #require(json["nested"]?.array?.first)
        #expect(nested["kind"]?.string == "transaction")
        #expect(nested["path"]?.string == "data.signedTransactionInfo")
        #expect(nested.at("verification", "status")?.string == "verified")
        #expect(report.exitCode == 0)
    }

    @Test("the form for people tells who signed, when, and what")
    func text() throws {
        let report = inspect(body(), reader: try World.reader())
        let lines = report.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "notification, verified")
        #expect(lines[1] == "  signed by    Quittance Minted Leaf 1")
        #expect(lines[2].hasPrefix("  trusted by   Quittance Minted Root 1 (SHA-256 "))
        #expect(lines[3] == "  checked for  2025-12-31T23:59:59Z (its signedDate)")
        #expect(report.text.contains("signed itself: see below"))
        #expect(report.text.contains("data.signedTransactionInfo: transaction, verified"))
        #expect(report.text.contains("purchaseDate           2025-12-31T23:59:00Z"))
    }

    @Test("one refused part inside makes the whole exit 4")
    func nestedRefusal() throws {
        let report = inspect(
            body(World.signed(by: MintedChain(seed: 2))), reader: try World.reader())
        #expect(report.verification.status == .verified)
        #expect(report.exitCode == 4)
        #expect(report.text.contains("untrusted-chain: its certificates do not lead to a root"))
    }

    @Test("text from outside cannot move the cursor, nor flood the screen")
    func terminal() throws {
        let fields = World.purchase {
            $0.productId = "\u{1B}[2J\u{202E}" + String(repeating: "a", count: 500)
            $0.extra = (0..<300).map { JSONMember("x\($0)", JSONValue(.bool(true))) }
        }
        let text = inspect(World.signer.transaction(fields), reader: try World.reader()).text
        #expect(text.contains("\\u{1b}[2J\\u{202e}aaa"))
        #expect(!text.unicodeScalars.contains("\u{1B}"))
        #expect(!text.unicodeScalars.contains("\u{202E}"))
        let lines = text.split(separator: "\n")
        #expect(lines.count < 220)
        #expect(lines.contains { $0.hasPrefix("    … and ") })
        #expect(lines.allSatisfy { $0.count < 300 })
    }

    @Test("signed parts in an event's data are verified, the event itself is unsigned")
    func cloudEvent() throws {
        let jws = String(decoding: World.signed(), as: UTF8.self)
        let event = #"{"specversion":"1.0","data":{"signedTransaction":"\#(jws)"}}"#
        let report = inspect(bytes(event), reader: try World.reader())
        #expect(report.kind == "cloud-event")
        #expect(report.verification.status == .unsigned)
        #expect(report.nested.map(\.path) == ["data.signedTransaction"])
        #expect(report.nested.map(\.verification.status) == [.verified])
        #expect(report.exitCode == 4)
    }

    @Test(
        "bad input gives its reason and exit 4",
        arguments: [
            ("", "unknown-kind"), ("\u{0}", "unknown-kind"), (#"{"a":"#, "malformed"),
            (#"{"a":1,"a":2}"#, "malformed"), (#"{"signedPayload":7}"#, "malformed"),
            (#"{"signedPayload":"a.b"}"#, "malformed"), (#"{"status":0}"#, "unsigned"),
            (String(repeating: "[", count: 100_000), "malformed"),
            (#"{"signedPayload":"\uD800"}"#, "malformed"),
        ])
    func badInput(text: String, reason: String) throws {
        let report = inspect(bytes(text), reader: try World.reader())
        #expect(report.verification.reason?.rawValue == reason)
        #expect(report.exitCode == 4)
        _ = try JSONValue(parsing: report.json)
        #expect(report.text.contains("reason       \(reason)"))
    }

    @Test("more than the bound is too large, whatever it is")
    func tooLarge() throws {
        let content = [UInt8](repeating: UInt8(ascii: " "), count: (16 << 20) + 1)
        let report = inspect(content, reader: try World.reader())
        #expect(report.verification.reason == .tooLarge)
    }
}
