import AppStore
import Cryptography
import JSON
import Testing

@Suite struct DetectionTests {
    @Test(
        "what is what",
        arguments: [
            (#"{"specversion":"1.0","id":"1"}"#, DetectedKind.cloudEvent),
            (#"[{"specversion":"1.0"},{"specversion":"1.0"}]"#, .cloudEventBatch),
            (#"  {"signedPayload":"a.b.c"}"#, .notificationBody),
            ("\n a.b.c \r\n", .bareJWS),
            ("a.b", .bareJWS),
            ("a.b.c.d", .bareJWS),
            ("YQ==.b.c", .bareJWS),
            (#"{"notification_type":"DID_RENEW"}"#, .wrapper(.notificationV1)),
            (#"{"status":21007}"#, .wrapper(.verifyReceiptAnswer)),
            (#"{"receipt":{},"status":0}"#, .wrapper(.verifyReceiptAnswer)),
            ("{\n\"signature\" = \"AA\";\n}", .receipt),
            ("", .unknown(looksLike: "nothing: it is empty")),
            (" \n", .unknown(looksLike: "nothing: it is empty")),
            ("[]", .unknown(looksLike: "a JSON array, but not of CloudEvents")),
            (#"{"status":1}"#, .unknown(looksLike: "a JSON object of no known kind")),
            ("hello, world", .unknown(looksLike: "plain text")),
            ("\u{0}\u{1}", .unknown(looksLike: "binary data")),
            ("QUJD", .unknown(looksLike: "base64 of no known kind")),
        ])
    func kinds(text: String, kind: DetectedKind) {
        #expect(detect(bytes(text)) == kind)
    }

    @Test("a receipt is known by its PKCS#7, as bytes or as base64 with line breaks")
    func receipts() {
        let identifier: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
        for length in [[0x80], [0x0D], [0x82, 1, 0]] as [[UInt8]] {
            let receipt: [UInt8] = [0x30] + length + identifier + [UInt8](repeating: 0, count: 90)
            #expect(detect(receipt) == .receipt)
            let text = Base64.encode(receipt)
            #expect(detect(text) == .receipt)
            #expect(detect(Array(text.prefix(60)) + bytes("\r\n") + text.dropFirst(60)) == .receipt)
        }
    }

    @Test("JSON that cannot be read says where and why")
    func brokenJSON() {
        guard case .brokenJSON(let error) = detect(bytes(#"{"specversion":"1.0""#)) else {
            Issue.record("half an event was taken for something")
            return
        }
        #expect(error.reason == .unexpectedEnd)
        #expect(error.offset == 20)
    }
}
