import AppStore
import AppStoreModel
import Cryptography
import JSON
import Simulator
import Testing

@Suite("An app receipt")
struct ReceiptTests {
    @Test("is verified for its creation date, and told with the names of signed transactions")
    func verified() throws {
        let part = try Receipts.reader().read(receipt: Receipts.signed(), path: "data.receipt")
        #expect(part.verdict == "verified")
        #expect(part.kind == .receipt && part.path == "data.receipt")
        #expect(part.verification.verifiedForMilliseconds == noon2026)
        #expect(part.verification.instantSource == .receiptCreationDate)
        #expect(part.verification.signer == "Quittance Minted Receipt Leaf 1")
        #expect(part.verification.anchorName == "Quittance Minted Receipt Root 1")
        #expect(part.digest == SHA256.hash(part.bytes))
        let payload = ReceiptPayload(try #require(part.payload))
        #expect(payload.environment == .production)
        #expect(payload.receiptType == "Production")
        #expect(payload.appAppleId == "1234567890")
        #expect(payload.bundleId == "com.example.game")
        #expect(payload.receiptCreationDate == noon2026)
        #expect(payload.originalPurchaseDate == noon2026 - 86_400_000)
        let purchase = try #require(payload.inApp.first)
        #expect(purchase.transactionId == "2000000000000001")
        #expect(purchase.originalTransactionId == "2000000000000001")
        #expect(purchase.type == .consumable)
        #expect(purchase.quantity == 1)
        #expect(purchase.purchaseDate == noon2026 - 60_000)
        #expect(purchase.webOrderLineItemId == nil, "0 stands for none")
        #expect(purchase.cancellationDate == nil, "an empty text is absent")
    }

    @Test(
        "is verified in every form that is seen",
        arguments: [
            ReceiptOptions { $0.usesSHA1 = true }, ReceiptOptions { $0.isIndefinite = true },
            ReceiptOptions { $0.isDoublyWrapped = true },
            ReceiptOptions {
                $0.isIndefinite = true
                $0.isDoublyWrapped = true
                $0.usesSHA1 = true
            },
        ])
    func forms(options: ReceiptOptions) throws {
        let receipt = Receipts.signer.receipt(Receipts.fields(), options: options)
        let part = try Receipts.reader().read(receipt: receipt)
        #expect(part.verdict == "verified")
        #expect(part.payload?["inApp"]?.array?.count == 1)
    }

    @Test("is verified with its certificates in any order, and with unrelated ones among them")
    func certificates() throws {
        let (ours, other) = (Receipts.signer, Receipts.other)
        for certificates in [
            [ours.rootDER, ours.intermediateDER, ours.leafDER],
            [ours.intermediateDER, ours.leafDER],
            [
                other.leafDER, ours.leafDER, other.rootDER, ours.intermediateDER,
                World.chain.leafDER,
            ],
        ] {
            #expect(
                try Receipts.verdict(Receipts.signed { $0.certificates = certificates })
                    == "verified")
        }
    }

    @Test("is one receipt with one digest, plain or in base64 of any spelling")
    func spellings() throws {
        let text = Receipts.signed()
        let plain = try #require(Base64.decode(text))
        let reader = try Receipts.reader()
        let canonical = reader.read(receipt: text)
        let wrapped = stride(from: 0, to: text.count, by: 76).flatMap {
            text[$0..<min($0 + 76, text.count)] + bytes("\r\n")
        }
        for spelling in [
            plain, wrapped, bytes("\t ") + text + bytes(" \n"), Base64.encodeURL(plain),
            text.flatMap { [$0, UInt8(ascii: "\n")] }, Array(text.prefix { $0 != 61 }),
        ] {
            let part = reader.read(receipt: spelling)
            #expect(part.verdict == "verified")
            #expect(part.bytes == text && part.digest == canonical.digest)
        }
    }

    @Test("keeps what is not known here, as hexadecimal")
    func unknownAttributes() throws {
        let fields = Receipts.fields {
            $0.extra = [
                (4711, [0x02, 0x01, 0x07]), (2, [0x0C, 0x01, 0x78]), (15, [0x0C, 0x01, 0x78]),
            ]
            $0.purchases[0].extra = [(1999, [0x0C, 0x01, 0x61]), (1998, [0x16, 0x00])]
        }
        let payload = try #require(
            Receipts.reader().read(receipt: Receipts.signed(fields)).payload)
        let kept = try #require(payload["otherAttributes"]?.array).map {
            "\($0["type"]?.int64 ?? 0) \($0["version"]?.int64 ?? 0) \($0["value"]?.string ?? "")"
        }
        #expect(kept == ["25 1 020103", "4711 1 020107", "2 1 0c0178", "15 1 0c0178"])
        #expect(payload["bundleId"]?.string == "com.example.game", "the first counts")
        let purchase = try #require(payload["inApp"]?.array?.first)
        #expect(purchase["otherAttributes"]?.array?.map { $0["type"]?.int64 } == [1999])
    }

    /// purchases-ios PR#384: 7 bytes.
    @Test(
        "tells web order line items of up to 8 bytes",
        arguments: [1, 0x7FFF_FFFF, 1 << 55, Int64.max])
    func webOrderLineItems(item: Int64) throws {
        let fields = Receipts.fields { $0.purchases[0].webOrderLineItemId = item }
        let part = try Receipts.reader().read(receipt: Receipts.signed(fields))
        #expect(
            part.payload?["inApp"]?.array?.first?["webOrderLineItemId"]?.string == String(item))
    }

    @Test(
        "of every type is of the environment that signed transactions name",
        arguments: [
            ("Production", "Production"), ("ProductionVPP", "Production"),
            ("ProductionSandbox", "Sandbox"), ("ProductionVPPSandbox", "Sandbox"), ("Moon", "Moon"),
        ])
    func environments(type: String, environment: String) throws {
        let fields = Receipts.fields { $0.receiptType = type }
        let part = try Receipts.reader().read(receipt: Receipts.signed(fields))
        #expect(part.payload?["environment"]?.string == environment)
    }

    @Test("is of its device and of no other")
    func device() throws {
        #expect(try Receipts.verdict(Receipts.signed(), device: Receipts.device) == "verified")
        let spelled = Receipts.device.lowercased().filter { $0 != "-" }
        #expect(try Receipts.verdict(Receipts.signed(), device: spelled) == "verified")
        let zero = "00000000-0000-0000-0000-000000000000"
        #expect(try Receipts.verdict(Receipts.signed(), device: zero) == "device-hash-mismatch")
        let mac = Receipts.fields { $0.device = "0017f2a1b2c3" }
        #expect(
            try Receipts.verdict(Receipts.signed(mac), device: "00:17:F2:A1:B2:C3") == "verified")
        #expect(DeviceIdentifier("0017f2a1b2") == nil)
        #expect(DeviceIdentifier("") == nil)
    }

    @Test("of another bundle, app or environment is refused, in that order")
    func expectations() throws {
        func verdict(_ expectations: Expectations, _ fields: ReceiptFields) throws -> String {
            try Receipts.reader(expectations: expectations).read(receipt: Receipts.signed(fields))
                .verdict
        }
        let wrong = Expectations(
            bundles: ["com.example.Game"], appAppleId: 7, environments: ["Sandbox"])
        #expect(try verdict(wrong, Receipts.fields()) == "wrong-bundle")
        #expect(
            try verdict(Expectations(appAppleId: 7, environments: ["Sandbox"]), Receipts.fields())
                == "wrong-app-id")
        #expect(
            try verdict(Expectations(environments: ["Sandbox"]), Receipts.fields())
                == "wrong-environment")
        let sandbox = Receipts.fields {
            $0.receiptType = "ProductionSandbox"
            $0.appAppleId = 0
        }
        let right = Expectations(
            bundles: ["com.example.game"], appAppleId: 7, environments: ["Sandbox"])
        #expect(try verdict(right, sandbox) == "verified")
    }

    @Test("that Xcode signed is nobody's forgery")
    func xcode() throws {
        let fields = Receipts.fields { $0.receiptType = "Xcode" }
        let own = Receipts.signed(fields) { $0.certificates = [Receipts.signer.leafDER] }
        #expect(try Receipts.verdict(own) == "xcode-signed")
        #expect(try Receipts.verdict(Receipts.signed(fields)) == "xcode-signed")
        #expect(
            try Receipts.verdict(Receipts.signed(fields, by: Receipts.other)) == "untrusted-chain")
    }

    @Test("finds its certificates again in the cache, and only those")
    func cache() throws {
        let reader = try Receipts.reader()
        let leafAlone = Receipts.signed { $0.certificates = [Receipts.signer.leafDER] }
        for _ in 0..<2 {
            #expect(reader.read(receipt: Receipts.signed()).verdict == "verified")
            #expect(reader.read(receipt: leafAlone).verdict == "untrusted-chain")
        }
        let later = try Receipts.reader(at: .given(noon2026 + 20 * 365 * 86_400_000))
        #expect(later.read(receipt: Receipts.signed()).verdict == "chain-expired")
    }

    @Test("of iOS 6 is told and not verified")
    func legacy() throws {
        func list(_ members: KeyValuePairs<String, String>) -> [UInt8] {
            bytes("{\n" + members.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined() + "}")
        }
        let info = list([
            "transaction-id": "7", "bid": "com.example", "original-purchase-date": "x",
        ])
        let text = list([
            "signature": "AA",
            "purchase-info": String(decoding: Base64.encode(info), as: UTF8.self),
            "environment": "Sandbox",
        ])
        for spelling in [text, Base64.encode(text)] {
            let report = inspect(spelling, reader: try Receipts.reader())
            #expect(report.kind == "receipt")
            #expect(report.verification.reason == .unknownKind)
            #expect(report.payload?["transactionId"]?.string == "7")
            #expect(report.payload?["bundleId"]?.string == "com.example")
            #expect(report.payload?.at("purchaseInfo", "original-purchase-date")?.string == "x")
            #expect(
                report.note == "the receipt of one transaction, as iOS 6 had it: told, not verified"
            )
        }
    }
}
