import Foundation
import JSON
import TestKit
import Testing

/// One row of the fixtures' manifest: a file, the options of `inspect`, and what it must yield.
struct FixtureRow: Sendable, CustomTestStringConvertible {
    let file: String
    var options: [String] = []
    let kind: String
    /// `verified`, or the reason.
    let verdict: String
    /// Members of the payload by their path, with the expected text.
    var says: [String: String] = [:]

    var testDescription: String { "\(file) \(options.joined(separator: " ")): \(verdict)" }

    static let folder =
        ProcessInfo.processInfo.environment["QUITTANCE_FIXTURES"] ?? "../shared/fixtures"
    static let areHere = FileManager.default.fileExists(atPath: folder + "/MANIFEST.md")

    static func path(_ name: String) -> String { "\(folder)/\(name)" }

    private static let mock = "app-store-server-library/mock_signed_data/"
    private static let xcode = "app-store-server-library/xcode/"
    private static let trust = [
        "--trust", path("app-store-server-library/certs/testCA.der"),
    ]
    private static let genuineTest = [
        "notificationType": "TEST", "data.bundleId": "com.Abilities",
        "data.environment": "Sandbox", "signedDate": "1662122492884",
        "notificationUUID": "5e09dcfc-205e-4ea1-9883-96676f394992",
    ]

    static let mocks = [
        FixtureRow(
            file: mock + "testNotification", options: trust, kind: "notification",
            verdict: "verified",
            says: [
                "notificationType": "TEST", "data.appAppleId": "1234",
                "data.environment": "Sandbox",
                "data.bundleId": "com.example", "signedDate": "1681314324000",
            ]),
        FixtureRow(
            file: mock + "testNotification", kind: "notification", verdict: "untrusted-chain"),
        FixtureRow(
            file: mock + "testNotification",
            options: ["--trust", path("apple-pki/AppleRootCA-G3.cer")], kind: "notification",
            verdict: "untrusted-chain"),
        FixtureRow(
            file: mock + "testNotification", options: trust + ["--bundle", "com.examplex"],
            kind: "notification", verdict: "wrong-bundle"),
        FixtureRow(
            file: mock + "testNotification", options: trust + ["--environment", "Production"],
            kind: "notification", verdict: "wrong-environment"),
        FixtureRow(
            file: mock + "transactionInfo", options: trust, kind: "unknown", verdict: "verified",
            says: ["environment": "Sandbox", "signedDate": "1672956154000"]),
        FixtureRow(
            file: mock + "renewalInfo", options: trust, kind: "unknown", verdict: "verified",
            says: ["environment": "Sandbox", "signedDate": "1672956154000"]),
        FixtureRow(
            file: mock + "wrongBundleId", options: trust + ["--bundle", "com.example"],
            kind: "notification", verdict: "wrong-bundle",
            says: ["data.bundleId": "com.example.wrong"]),
        FixtureRow(
            file: mock + "missingX5CHeaderClaim", options: trust, kind: "notification",
            verdict: "malformed"),
        FixtureRow(
            file: mock + "legacyTransaction", options: trust, kind: "receipt",
            verdict: "unknown-kind"),
    ]

    static let xcodeSigned = [
        FixtureRow(
            file: xcode + "xcode-signed-transaction", kind: "transaction", verdict: "xcode-signed"),
        FixtureRow(
            file: xcode + "xcode-signed-renewal-info", kind: "renewal", verdict: "xcode-signed",
            says: ["signedDate": "1697679936711.0747"]),
        FixtureRow(
            file: xcode + "xcode-signed-app-transaction", kind: "app-transaction",
            verdict: "xcode-signed", says: ["originalPurchaseDate": "-62135769600000"]),
    ]

    /// Signed by Apple, and trusted with no option at all.
    static let genuine = [
        FixtureRow(
            file: "go-iap/genuine-sandbox-renewalInfo.jws", kind: "renewal", verdict: "verified",
            says: [
                "originalTransactionId": "2000000335310644", "signedDate": "1684822778492",
            ]),
        FixtureRow(
            file: "go-iap/genuine-sandbox-renewalInfo.jws", options: ["--at", "now"],
            kind: "renewal", verdict: "chain-expired"),
        FixtureRow(
            file: "store-receipt-validator/test-notification-signed-payload.json",
            kind: "notification", verdict: "verified", says: genuineTest),
        FixtureRow(
            file: "appstore-iap/test-notification-signed-payload.json", kind: "notification",
            verdict: "verified", says: genuineTest),
    ]

    /// Other material of the same companies, which nobody may take for signed.
    static let unsigned = [
        FixtureRow(
            file: "store-receipt-validator/serverNotificationRequest.json", kind: "notification-v1",
            verdict: "unsigned"),
        FixtureRow(
            file: "store-receipt-validator/inAppPurchaseInvalidReceiptResponse.json",
            kind: "verify-receipt-answer", verdict: "unsigned", says: ["status": "21002"]),
        FixtureRow(
            file: "appstore-iap/subscription_receipt.json", kind: "unknown",
            verdict: "unknown-kind"),
    ]
}

@Suite(
    "The manifest's rows through inspect",
    .enabled(if: FixtureRow.areHere, "the fixtures' folder is absent: set QUITTANCE_FIXTURES"))
struct FixtureInspectTests {
    private let quittance = Program(name: "quittance")

    @Test(
        "yield what they say",
        arguments: FixtureRow.mocks + FixtureRow.xcodeSigned + FixtureRow.genuine
            + FixtureRow.unsigned)
    func row(_ row: FixtureRow) throws {
        let output = try quittance.run(
            ["inspect", "--json"] + row.options + [FixtureRow.path(row.file)])
        #expect(output.status == (row.verdict == "verified" ? 0 : 4) && output.errors.isEmpty)
        let report = try output.json()
        #expect(report["kind"]?.string == row.kind)
        let verification = report["verification"]
        #expect(
            (verification?["reason"]?.string ?? verification?["status"]?.string) == row.verdict)
        for (path, text) in row.says {
            let names = path.split(separator: ".").map(String.init)
            let value = names.reduce(report["payload"]) { $0?[$1] }
            #expect(value?.identifier == text, "\(path)")
        }
    }

    @Test("a genuine notification is appended, and changes nothing")
    func ingest() async throws {
        let desk = try await Desk()
        let path = FixtureRow.path("store-receipt-validator/test-notification-signed-payload.json")
        let output = try desk.quittance.run("ingest", path)
        #expect(output.status == 0 && output.text.hasPrefix("appended 1 "))
        #expect(try desk.quittance.run("projection", "run").status == 0)
        #expect(try await desk.sql("select count(*)::text from quittance.facts") == ["0"])
    }
}
