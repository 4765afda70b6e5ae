import AppStore
import Cryptography
import FoundationEssentials
import JSON
import Simulator
import Testing

/// Public test material that is not part of this project.
enum Fixtures {
    static let folder =
        ProcessInfo.processInfo.environment["QUITTANCE_FIXTURES"] ?? "../shared/fixtures"
    static let areHere = FileManager.default.fileExists(atPath: folder + "/MANIFEST.md")

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try #require(FileManager.default.contents(atPath: "\(folder)/\(name)")))
    }
}

/// One row of the fixtures' manifest: a file, the options of `inspect`, and what it must yield.
struct FixtureRow: Sendable, CustomTestStringConvertible {
    let file: String
    var trust: String?
    var bundle: String?
    var environment: String?
    var at = VerificationInstant.signed
    let kind: String
    let verdict: String
    /// Members of the payload by their path, with the expected text.
    var says: [String: String] = [:]
    /// How many purchases a receipt lists.
    var inApps: Int?

    var testDescription: String {
        let options = [trust.map { _ in "trusted" }, bundle, environment].compactMap { $0 }
        return "\(file) \(options) \(at): \(verdict)"
    }

    func inspected() throws -> InspectionReport {
        var anchors = TrustAnchors.apple
        if let trust { anchors = try anchors.adding(path: "\(Fixtures.folder)/\(trust)") }
        let expectations = Expectations(
            bundles: bundle.map { [$0] } ?? [], environments: environment.map { [$0] })
        let reader = EvidenceReader(anchors: anchors, expectations: expectations, at: at)
        return inspect(try Fixtures.bytes(file), reader: reader)
    }
}

@Suite(.enabled(if: Fixtures.areHere, "the fixtures' folder is absent: set QUITTANCE_FIXTURES"))
struct FixtureTests {
    static let mock = "app-store-server-library/mock_signed_data/"
    static let xcode = "app-store-server-library/xcode/"
    static let testCA = "app-store-server-library/certs/testCA.der"
    static let testCAPEM = "app-store-server-library/certs-java/testCA.pem"
    static let mockNotification = [
        "notificationType": "TEST", "data.appAppleId": "1234", "data.environment": "Sandbox",
        "data.bundleId": "com.example", "signedDate": "1681314324000",
        "notificationUUID": "9ad56bd2-0bc6-42e0-af24-fd996d87a1e6",
    ]
    static let genuineNotification = [
        "notificationType": "TEST", "data.bundleId": "com.Abilities", "data.environment": "Sandbox",
        "signedDate": "1662122492884",
        "notificationUUID": "5e09dcfc-205e-4ea1-9883-96676f394992",
    ]

    static let mocks: [FixtureRow] = [
        FixtureRow(
            file: mock + "testNotification", trust: testCA, kind: "notification",
            verdict: "verified", says: mockNotification),
        FixtureRow(
            file: mock + "testNotification", trust: testCAPEM, bundle: "com.example",
            environment: "Sandbox", kind: "notification", verdict: "verified"),
        FixtureRow(
            file: mock + "testNotification", kind: "notification", verdict: "untrusted-chain"),
        FixtureRow(
            file: mock + "testNotification", trust: "apple-pki/AppleRootCA-G3.cer",
            kind: "notification", verdict: "untrusted-chain"),
        FixtureRow(
            file: mock + "testNotification", trust: testCA, bundle: "com.examplex",
            kind: "notification", verdict: "wrong-bundle"),
        FixtureRow(
            file: mock + "testNotification", trust: testCA, environment: "Production",
            kind: "notification", verdict: "wrong-environment"),
        FixtureRow(
            file: mock + "transactionInfo", trust: testCA, kind: "unknown", verdict: "verified",
            says: ["environment": "Sandbox", "signedDate": "1672956154000"]),
        FixtureRow(
            file: mock + "transactionInfo", trust: testCA, bundle: "com.examplex",
            kind: "unknown", verdict: "wrong-bundle"),
        FixtureRow(
            file: mock + "renewalInfo", trust: testCA, bundle: "com.example", kind: "unknown",
            verdict: "verified", says: ["environment": "Sandbox", "signedDate": "1672956154000"]),
        FixtureRow(
            file: mock + "wrongBundleId", trust: testCA, kind: "notification", verdict: "verified",
            says: ["data.bundleId": "com.example.wrong"]),
        FixtureRow(
            file: mock + "wrongBundleId", trust: testCA, bundle: "com.example",
            kind: "notification", verdict: "wrong-bundle"),
        FixtureRow(
            file: mock + "missingX5CHeaderClaim", trust: testCA, kind: "notification",
            verdict: "malformed"),
        FixtureRow(
            file: mock + "legacyTransaction", trust: testCA, kind: "receipt",
            verdict: "unknown-kind", says: ["transactionId": "33993399"]),
    ]

    static let xcodeSigned: [FixtureRow] = [
        FixtureRow(
            file: xcode + "xcode-signed-transaction", trust: testCA, kind: "transaction",
            verdict: "xcode-signed", says: ["transactionId": "0"]),
        FixtureRow(
            file: xcode + "xcode-signed-transaction", environment: "Xcode", kind: "transaction",
            verdict: "xcode-signed"),
        FixtureRow(
            file: xcode + "xcode-signed-renewal-info", kind: "renewal", verdict: "xcode-signed",
            says: ["signedDate": "1697679936711.0747"]),
        FixtureRow(
            file: xcode + "xcode-signed-app-transaction", kind: "app-transaction",
            verdict: "xcode-signed", says: ["originalPurchaseDate": "-62135769600000"]),
    ]

    static let genuine: [FixtureRow] = [
        FixtureRow(
            file: "go-iap/genuine-sandbox-renewalInfo.jws", kind: "renewal", verdict: "verified",
            says: [
                "originalTransactionId": "2000000335310644", "signedDate": "1684822778492",
            ]),
        FixtureRow(
            file: "go-iap/genuine-sandbox-renewalInfo.jws", at: .now, kind: "renewal",
            verdict: "chain-expired"),
        FixtureRow(
            file: "store-receipt-validator/test-notification-signed-payload.json",
            kind: "notification", verdict: "verified", says: genuineNotification),
        FixtureRow(
            file: "store-receipt-validator/test-notification-signed-payload.json",
            bundle: "com.example", kind: "notification", verdict: "wrong-bundle"),
        FixtureRow(
            file: "appstore-iap/test-notification-signed-payload.json", kind: "notification",
            verdict: "verified", says: genuineNotification),
    ]

    static let others: [FixtureRow] = [
        FixtureRow(
            file: "store-receipt-validator/inAppPurchaseInvalidReceiptResponse.json",
            kind: "verify-receipt-answer", verdict: "unsigned", says: ["status": "21002"]),
        FixtureRow(
            file: "store-receipt-validator/inAppPurchaseResponse.json",
            kind: "verify-receipt-answer", verdict: "unsigned"),
        FixtureRow(
            file: "store-receipt-validator/serverNotificationRequest.json", kind: "notification-v1",
            verdict: "unsigned"),
        FixtureRow(
            file: "store-receipt-validator/subscriptionStatusResponse.json", kind: "answer",
            verdict: "unsigned"),
        FixtureRow(
            file: "appstore-iap/subscription_receipt.json", kind: "unknown",
            verdict: "unknown-kind"),
        FixtureRow(
            file: "appstore-iap/verify_receipt_response.json", kind: "verify-receipt-answer",
            verdict: "unsigned"),
        FixtureRow(
            file: "appstore-iap/server-notification.json", kind: "notification-v1",
            verdict: "unsigned"),
        FixtureRow(file: "monza/cancel.json", kind: "notification-v1", verdict: "unsigned"),
        FixtureRow(
            file: "purchases-ios/verifyReceiptSample1.txt", kind: "verify-receipt-answer",
            verdict: "unsigned"),
    ]

    static let appleRoot = "apple-pki/AppleIncRootCertificate.cer"
    static let receipts: [FixtureRow] = [
        FixtureRow(
            file: "TPInAppReceipt/receipt-sandbox-g5", kind: "receipt", verdict: "verified",
            says: [
                "receiptType": "ProductionSandbox", "environment": "Sandbox",
                "bundleId": "dev.bonzer.weeka.app", "applicationVersion": "2",
                "receiptCreationDate": "1766774387000",
                "deviceHash": "2158847543683847e9382a0fc51853cb17abcd6d",
            ], inApps: 2),
        FixtureRow(
            file: "TPInAppReceipt/receipt-sandbox-g5", bundle: "DEV.bonzer.weeka.app",
            kind: "receipt", verdict: "wrong-bundle"),
        FixtureRow(
            file: "TPInAppReceipt/receipt-sandbox-g5", environment: "Production",
            kind: "receipt", verdict: "wrong-environment"),
        FixtureRow(
            file: "TPInAppReceipt/receipt-sandbox-legacy", kind: "receipt", verdict: "verified",
            says: ["bundleId": "com.nutcall.alert", "applicationVersion": "32"], inApps: 187),
        FixtureRow(
            file: "TPInAppReceipt/receipt-sandbox-legacy", at: .now, kind: "receipt",
            verdict: "chain-expired"),
        FixtureRow(
            file: "TPInAppReceipt/receipt-xcode", kind: "receipt", verdict: "xcode-signed",
            says: ["receiptCreationDate": "1595439195000"], inApps: 1),
        FixtureRow(
            file: "TPInAppReceipt/receipt-xcode", trust: appleRoot, kind: "receipt",
            verdict: "xcode-signed"),
        FixtureRow(
            file: "TPInAppReceipt/receipt-xcode-with-purchases",
            trust: "TPInAppReceipt/StoreKitTestCertificate.cer", kind: "receipt",
            verdict: "xcode-signed", inApps: 1),
        FixtureRow(
            file: "purchases-ios/base64encodedreceiptsample1.txt", kind: "receipt",
            verdict: "verified",
            says: [
                "bundleId": "com.revenuecat.sampleapp", "applicationVersion": "4",
                "receiptCreationDate": "1595439548000",
            ], inApps: 9),
        FixtureRow(
            file: "purchases-ios/base64encoded_sandboxReceipt.txt", kind: "receipt",
            verdict: "verified", inApps: 9),
        FixtureRow(
            file: xcode + "xcode-app-receipt-empty", kind: "receipt", verdict: "xcode-signed",
            inApps: 0),
        FixtureRow(
            file: xcode + "xcode-app-receipt-with-transaction", kind: "receipt",
            verdict: "xcode-signed", inApps: 1),
    ]

    @Test(
        "a row of the manifest yields what it says",
        arguments: mocks + xcodeSigned + genuine + others + receipts)
    func row(_ row: FixtureRow) throws {
        let report = try row.inspected()
        #expect(report.kind == row.kind)
        #expect(
            report.verification.reason?.rawValue ?? report.verification.status.rawValue
                == row.verdict)
        #expect(report.exitCode == (row.verdict == "verified" ? 0 : 4))
        for (path, text) in row.says {
            let names = path.split(separator: ".").map(String.init)
            let value = names.reduce(report.payload) { $0?[$1] }
            #expect(value?.identifier == text, "\(path)")
        }
        if let count = row.inApps {
            #expect(report.payload?["inApp"]?.array?.count == count)
        }
    }

    @Test("Apple's sample of a key for tokens is a P-256 key with its public half")
    func signingKey() throws {
        let lines = try Fixtures.bytes("app-store-server-library/certs/testSigningKey.p8")
            .split(separator: 10).dropFirst().dropLast()
        let info = try #require(Base64.decode(Array(lines.joined())))
        let octets = try #require(info.firstIndex(of: 0x6B)).advanced(by: 6)
        let key = try #require(P256.PrivateKey(scalar: Array(info[octets..<octets + 32])))
        #expect(key.x963 == Array(info.suffix(65)))
    }

    // MARK: Paths: the signature never fits, so a good path ends at it.

    static let constants = "app-store-server-library/x509-constants/"
    static let java = "app-store-server-library/certs-java/"

    /// The verdict on a JWS that carries these certificates, trusting the last, and whose signature
    /// was made with another key.
    static func pathVerdict(
        _ leaf: [UInt8], _ intermediate: [UInt8], root: [UInt8], at seconds: Int64
    ) throws -> String {
        let jws = World.signed(SigningOptions { $0.certificates = [leaf, intermediate, root] })
        let anchors = try TrustAnchors.apple.adding(root)
        let reader = EvidenceReader(
            anchors: anchors, at: .given(seconds * 1000), now: { noon2026 })
        return reader.read(jws: jws).verdict
    }

    static func constant(_ name: String) throws -> [UInt8] {
        let text = try Fixtures.bytes(constants + name + ".b64").filter { $0 > 0x20 }
        return try #require(Base64.decode(text))
    }

    static func pem(_ name: String) throws -> [UInt8] {
        let lines = String(decoding: try Fixtures.bytes(java + name + ".pem"), as: UTF8.self)
            .split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("-----BEGIN CERT") })
        let end = try #require(lines[start...].firstIndex { $0.hasPrefix("-----END CERT") })
        return try #require(Base64.decode(Array(lines[(start + 1)..<end].joined().utf8)))
    }

    @Test(
        "Apple's own certificates for tests",
        arguments: [
            ("LEAF_CERT", "INTERMEDIATE_CA", 1_761_962_975, "bad-signature"),
            ("LEAF_CERT", "INTERMEDIATE_CA", 2_280_946_846, "chain-expired"),
            (
                "LEAF_CERT_INVALID_OID", "INTERMEDIATE_CA", 1_761_962_975,
                "wrong-certificate-purpose"
            ),
            (
                "LEAF_CERT_FOR_INTERMEDIATE_CA_INVALID_OID", "INTERMEDIATE_CA_INVALID_OID",
                1_761_962_975, "wrong-certificate-purpose"
            ),
            ("LEAF_CERT", "LEAF_CERT", 1_761_962_975, "untrusted-chain"),
        ])
    func appleTestPaths(leaf: String, intermediate: String, seconds: Int64, verdict: String) throws
    {
        #expect(
            try Self.pathVerdict(
                Self.constant(leaf), Self.constant(intermediate), root: Self.constant("ROOT_CA"),
                at: seconds) == verdict)
    }

    @Test("Apple's real chain is trusted with no configuration, by its pinned root")
    func realChain() throws {
        let certificates = try [
            "REAL_APPLE_SIGNING_CERTIFICATE", "REAL_APPLE_INTERMEDIATE", "REAL_APPLE_ROOT",
        ].map(Self.constant)
        let jws = World.signed(SigningOptions { $0.certificates = certificates })
        let reader = EvidenceReader(now: { noon2026 })
        #expect(reader.read(jws: jws).verdict == "bad-signature")
        let untrusting = EvidenceReader(anchors: .none, now: { noon2026 })
        #expect(untrusting.read(jws: jws).verdict == "untrusted-chain")
    }

    @Test(
        "the test certificates of Apple's Java library",
        arguments: [
            ("testLeaf", "testIntermediate", "bad-signature"),
            ("testInvalidOIDLeaf", "testIntermediate", "wrong-certificate-purpose"),
            (
                "testInvalidIntermediateLeaf", "testInvalidOIDIntermediate",
                "wrong-certificate-purpose"
            ),
            ("testLeaf", "testInvalidIntermediateLeaf", "untrusted-chain"),
        ])
    func javaPaths(leaf: String, intermediate: String, verdict: String) throws {
        #expect(
            try Self.pathVerdict(
                Self.pem(leaf), Self.pem(intermediate), root: Self.pem("testCA"), at: 1_761_962_975)
                == verdict)
    }
}
