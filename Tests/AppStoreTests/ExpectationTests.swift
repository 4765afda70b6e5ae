import AppStore
import JSON
import Simulator
import Testing

@Suite struct ExpectationTests {
    let transaction = World.signed()
    let notification = World.signer.notification(
        NotificationFields(
            "TEST", notificationUUID: "5e09dcfc-0000-4000-8000-000000000000",
            signedDate: noon2026 - 1000))

    func verdict(_ jws: [UInt8], _ expectations: Expectations) throws -> String {
        try World.reader(expectations: expectations).read(jws: jws).verdict
    }

    @Test("the right bundle, app id and environment are verified")
    func met() throws {
        let expectations = Expectations(
            bundles: ["com.example.game"], appAppleIds: ["com.example.game": 1_234_567_890],
            environments: ["Production"])
        #expect(try verdict(transaction, expectations) == "verified")
        #expect(try verdict(notification, expectations) == "verified")
    }

    @Test("another bundle is refused, of a transaction and of a notification")
    func wrongBundle() throws {
        let expectations = Expectations(bundles: ["com.examplex"])
        #expect(try verdict(transaction, expectations) == "wrong-bundle")
        #expect(try verdict(notification, expectations) == "wrong-bundle")
    }

    @Test("a bundle is compared byte by byte")
    func bundleCase() throws {
        #expect(
            try verdict(transaction, Expectations(bundles: ["com.example.Game"])) == "wrong-bundle")
    }

    @Test("another app id is refused in Production, by bundle or for all")
    func wrongAppId() throws {
        let byBundle = Expectations(appAppleIds: ["com.example.game": 1])
        #expect(try verdict(notification, byBundle) == "wrong-app-id")
        #expect(try verdict(notification, Expectations(appAppleId: 1)) == "wrong-app-id")
        #expect(
            try verdict(transaction, Expectations(appAppleId: 1)) == "verified",
            "a transaction names no app id")
    }

    @Test("an app id is not compared in the sandbox, which often sends none")
    func appIdInSandbox() throws {
        let sandbox = AppleSigner(chain: World.chain, appAppleId: 5, environment: "Sandbox")
        let jws = sandbox.notification(
            NotificationFields("TEST", notificationUUID: "u", signedDate: noon2026))
        #expect(try verdict(jws, Expectations(appAppleId: 1)) == "verified")
    }

    @Test("another environment is refused")
    func wrongEnvironment() throws {
        let expectations = Expectations(environments: ["Sandbox"])
        #expect(try verdict(transaction, expectations) == "wrong-environment")
        #expect(try verdict(notification, expectations) == "wrong-environment")
    }

    @Test("bundle comes before app id, app id before environment, trust before all")
    func order() throws {
        var expectations = Expectations(
            bundles: ["com.other"], appAppleId: 1, environments: ["Sandbox"])
        #expect(try verdict(notification, expectations) == "wrong-bundle")
        expectations.bundles = []
        #expect(try verdict(notification, expectations) == "wrong-app-id")
        let stranger = World.signed(by: MintedChain(seed: 2))
        #expect(try verdict(stranger, expectations) == "untrusted-chain")
    }

    @Test("a renewal names no bundle, so none is missed")
    func renewal() throws {
        let jws = World.signer.renewal(
            RenewalFields(originalTransactionId: "1", productId: "p", signedDate: noon2026))
        #expect(try verdict(jws, Expectations(bundles: ["com.other"])) == "verified")
        #expect(try verdict(jws, Expectations(environments: ["Sandbox"])) == "wrong-environment")
    }

    @Test("a transaction or notification that names no bundle meets no expectation of one")
    func missingBundle() throws {
        let null = JSONMember("bundleId", JSONValue(.null))
        let jws = World.signer.transaction(World.purchase { $0.extra = [null] })
        #expect(try verdict(jws, Expectations(bundles: ["com.example.game"])) == "wrong-bundle")
        #expect(try verdict(jws, Expectations()) == "verified")
    }

    @Test(
        "a notification's ids stand in data, summary, externalPurchaseToken or appData",
        arguments: ["summary", "externalPurchaseToken", "appData"])
    func places(name: String) throws {
        let text = #"{"bundleId":"com.example.game","appAppleId":7,"environment":"Production"}"#
        let place = JSONMember(name, try JSONValue(parsing: bytes(text)))
        let jws = World.signer.notification(
            NotificationFields("TEST", notificationUUID: "u", signedDate: noon2026) {
                $0.hasData = false
                $0.extra = [place]
            })
        #expect(try verdict(jws, Expectations(bundles: ["com.other"])) == "wrong-bundle")
        #expect(try verdict(jws, Expectations(appAppleId: 8)) == "wrong-app-id")
        #expect(try verdict(jws, Expectations(appAppleId: 7)) == "verified")
        #expect(try verdict(jws, Expectations(environments: ["Sandbox"])) == "wrong-environment")
    }

    @Test("an external purchase token of the sandbox shows by its id")
    func externalPurchaseToken() throws {
        let text = #"{"externalPurchaseId":"SANDBOX_1","bundleId":"com.example.game"}"#
        let place = JSONMember("externalPurchaseToken", try JSONValue(parsing: bytes(text)))
        let jws = World.signer.notification(
            NotificationFields(
                "EXTERNAL_PURCHASE_TOKEN", notificationUUID: "u", signedDate: noon2026
            ) {
                $0.hasData = false
                $0.extra = [place]
            })
        #expect(try verdict(jws, Expectations(environments: ["Production"])) == "wrong-environment")
        #expect(try verdict(jws, Expectations(environments: ["Sandbox"])) == "verified")
    }
}
