import AppStore
import Cryptography
import JSON
import Simulator
import Testing

@Suite("What a person or a client posts")
struct RecognitionTests {
    private static let jws = String(decoding: World.signed(), as: UTF8.self)
    private static let receipt = String(decoding: Receipts.signed(), as: UTF8.self)

    private static func base64(_ text: String) -> String {
        String(decoding: Base64.encode(bytes(text)), as: UTF8.self)
    }

    private func reader() throws -> EvidenceReader {
        let anchors = try World.anchors().adding(Receipts.signer.rootDER)
        return EvidenceReader(anchors: anchors, now: { noon2026 })
    }

    @Test(
        "a signed transaction is found in whatever is around it",
        arguments: [
            jws, "\"\(jws)\"", " \n\(jws)\r\n", base64(jws), "\"\(base64(jws))\"",
            #"{"jwsRepresentation":"\#(jws)"}"#, #"{"purchaseToken":"\#(base64(jws))","x":1}"#,
            #"{"signedRenewalInfo":"\#(jws)"}"#, #"{"receipt-data":"\#(jws)"}"#,
            base64(#"{"jws":"\#(jws)"}"#),
        ])
    func transactions(text: String) throws {
        let report = inspect(bytes(text), reader: try reader())
        #expect(report.kind == "transaction" && report.isVerified, "\(report.note ?? "")")
    }

    @Test(
        "a receipt is found in whatever is around it",
        arguments: [
            receipt, "\"\(receipt)\"", #"{"receipt-data":"\#(receipt)","password":"s","x":true}"#,
            #"{"transactionReceipt":"\#(receipt.replacing("/", with: #"\/"#))"}"#,
            #"{"receipt-data":"\#(receipt.replacing("A", with: #"A\r\n"#))"}"#,
        ])
    func receipts(text: String) throws {
        let report = inspect(bytes(text), reader: try reader())
        #expect(report.kind == "receipt" && report.isVerified, "\(report.note ?? "")")
    }

    @Test("what was taken off is told")
    func steps() throws {
        let text = "\"" + Self.base64(#"{"jws":"\#(Self.jws)"}"#) + "\""
        #expect(recognise(bytes(text)).steps == ["a JSON string", "base64", "the member jws"])
        let report = inspect(bytes(text), reader: try reader())
        #expect(report.note == "found in a JSON string, in base64, in the member jws")
    }

    @Test("two signed texts are not one: the wrapper is told, and nothing is guessed")
    func twoTexts() throws {
        let text = #"{"a":"\#(Self.jws)","b":"\#(Self.jws)"}"#
        #expect(detect(bytes(text)) == .unknown(looksLike: "a JSON object of no known kind"))
    }

    @Test("wrapping has a bound")
    func bound() {
        var text = Self.jws
        for _ in 0..<4 {
            text = "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        #expect(detect(bytes(text)) == .bareJWS)
        text = "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        #expect(detect(bytes(text)) == .unknown(looksLike: "text wrapped many times"))
    }

    @Test(
        "an e-mail is known by Apple's order id in it",
        arguments: [
            "MK5TTTVHXH", "Order ID: MK5TTTVHXH", "Bestellnummer:\tMK5TTTVHXH.\nDanke!",
            "订单号 MK5TTTVHXH", "<td>ORDER ID<br>MK5TTTVHXH</td>", "\"Order MK5TTTVHXH\"",
            "Document 1 MANAGEMENT MESSAGE123456789 mMK5TTTVHXHx MK5TTTVHXH",
        ])
    func orderIds(text: String) throws {
        #expect(detect(bytes(text)) == .orderIdText("MK5TTTVHXH"))
        let report = inspect(bytes(text), reader: try reader())
        #expect(report.verification.reason == .unknownKind)
        #expect(report.note?.contains("MK5TTTVHXH") == true)
    }

    @Test(
        "what is nothing of Apple's is told by its looks",
        arguments: [
            ("MANAGEMENT", "plain text"), ("2000000129419713", "the id of a transaction"),
            (
                "-----BEGIN PRIVATE KEY-----\nMIG\n-----END PRIVATE KEY-----",
                "a key or a certificate in PEM"
            ),
            (#"{"purchaseState":0}"#, "a purchase of another store"),
            (#"{"hello":1}"#, "a JSON object of no known kind"),
            ("null", "base64 of no known kind"),
            ("\"hello\"", "plain text"), ("\"\"", "nothing: it is empty"),
        ])
    func unknown(text: String, looksLike: String) {
        #expect(detect(bytes(text)) == .unknown(looksLike: looksLike))
    }

    /// java#194, agisboye#11, laravel-iap#168.
    @Test("a JWS in base64, of four parts, or with a leading point has its reason")
    func brokenJWS() throws {
        let reader = try reader()
        for text in ["\(Self.jws).x", ".\(Self.jws)", String(Self.jws.dropLast(100)), "eyJh.eyJi"] {
            let report = inspect(bytes(text), reader: reader)
            #expect(report.verification.reason == .malformed, "\(text.prefix(20))")
        }
    }

    @Test("data.receipt may hold any of these, and is judged as what it is")
    func anyText() throws {
        let reader = try reader()
        for (text, kind, verdict) in [
            (Self.receipt, SignedPartKind.receipt, "verified"),
            (Self.jws, .transaction, "verified"),
            (Self.base64(Self.jws), .transaction, "verified"),
            (#"{"receipt-data":"\#(Self.receipt)"}"#, .receipt, "verified"),
            ("hello", .receipt, "malformed"), (#"{"a":1}"#, .receipt, "malformed"),
        ] {
            let part = reader.read(signedText: bytes(text), path: "data.receipt")
            #expect(part.kind == kind && part.verdict == verdict && part.path == "data.receipt")
        }
        #expect(
            reader.read(signedText: bytes("hello"), path: "data.signedTransaction").kind
                == .unknown)
    }
}
