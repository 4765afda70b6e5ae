import AppStoreModel
import JSON
import Testing

@Suite struct PayloadTests {
    func transaction(_ text: String) throws -> TransactionPayload {
        TransactionPayload(try JSONValue(parsing: bytes(text)))
    }

    @Test("ids are text, whether they came as strings or as numbers")
    func identifiers() throws {
        let payload = try transaction(
            #"{"transactionId":2000000335310644,"originalTransactionId":"0002000000335310644"}"#)
        #expect(payload.transactionId == "2000000335310644")
        #expect(payload.originalTransactionId == "0002000000335310644")
        let long = try transaction(#"{"transactionId":123456789012345678901234567890}"#)
        #expect(long.transactionId == "123456789012345678901234567890")
    }

    /// go-iap PR#274: VND 4 999 000 does not fit 32 bits.
    @Test("a price beyond 32 bits")
    func price() throws {
        let payload = try transaction(#"{"price":4999000000,"currency":"VND"}"#)
        #expect(payload.price == 4_999_000_000)
    }

    /// apple-iap-tools PR#14.
    @Test("a value no enumeration knows is kept, and does not spoil the rest")
    func unknownValues() throws {
        let payload = try transaction(
            #"{"environment":"Moon","offerType":9,"revocationReason":7,"type":"Consumable"}"#)
        #expect(payload.environment?.rawValue == "Moon")
        #expect(payload.environment?.isKnown == false)
        #expect(payload.offerType?.rawValue == 9)
        #expect(payload.revocationReason?.isKnown == false)
        #expect(payload.type == .consumable)
        #expect(payload.type?.isKnown == true)
        #expect(payload.unreadableMembers.isEmpty)
    }

    @Test("a member nobody knows is listed and stays in the JSON")
    func unknownMembers() throws {
        let payload = try transaction(#"{"multiSeatInfo":{"seats":3},"quantity":2}"#)
        #expect(payload.unknownMembers == ["multiSeatInfo"])
        #expect(payload.json.at("multiSeatInfo", "seats")?.int64 == 3)
    }

    @Test("a malformed member is nil and listed, at any depth")
    func unreadableMembers() throws {
        let payload = try transaction(
            #"{"quantity":"many","price":true,"transactionId":{},"bundleId":7,"productId":"p","#
                + #""commitmentInfo":{"commitmentPrice":[]},"advancedCommerceInfo":7}"#)
        #expect(payload.quantity == nil)
        #expect(payload.price == nil)
        #expect(payload.productId == "p")
        #expect(
            Set(payload.unreadableMembers) == [
                "quantity", "price", "transactionId", "bundleId",
                "commitmentInfo.commitmentPrice", "advancedCommerceInfo",
            ])
    }

    @Test("null and absent read as nil; an empty text and a zero stay")
    func absence() throws {
        let payload = try transaction(
            #"{"appAccountToken":null,"currency":"","price":0,"isUpgraded":false}"#)
        #expect(payload.appAccountToken == nil)
        #expect(payload.storefront == nil)
        #expect(payload.currency == "")
        #expect(payload.price == 0)
        #expect(payload.isUpgraded == false)
        #expect(payload.unreadableMembers.isEmpty)
        #expect(payload.json["appAccountToken"]?.isNull == true)
    }

    @Test("the fractions of milliseconds that Xcode writes are cut off")
    func fractions() throws {
        let payload = try transaction(
            #"{"purchaseDate":1697679936049.7297,"originalPurchaseDate":-62135769600000}"#)
        #expect(payload.purchaseDate == 1_697_679_936_049)
        #expect(payload.originalPurchaseDate == -62_135_769_600_000)
    }

    @Test("what is no object reads as an empty view that says so")
    func noObject() throws {
        let payload = try transaction("[]")
        #expect(payload.transactionId == nil)
        #expect(payload.unreadableMembers == [""])
    }

    @Test("a renewal, with its commitment and its items")
    func renewal() throws {
        let text = #"""
            {"originalTransactionId":"1","autoRenewStatus":0,"expirationIntent":2,
             "isInBillingRetryPeriod":true,"eligibleWinBackOfferIds":["a",1,"b"],
             "commitmentInfo":{"commitmentAutoRenewStatus":1,"commitmentRenewalPrice":9990},
             "advancedCommerceInfo":{"consistencyToken":"t","items":[
               {"SKU":"s","price":5,
                "priceIncreaseInfo":{"dependentSKUs":["x"],"status":"PENDING"}}]}}
            """#
        let payload = RenewalPayload(try JSONValue(parsing: bytes(text)))
        #expect(payload.autoRenewStatus == .off)
        #expect(payload.expirationIntent == .billingError)
        #expect(payload.isInBillingRetryPeriod == true)
        #expect(payload.eligibleWinBackOfferIds == ["a", "b"])
        #expect(payload.unreadableMembers == ["eligibleWinBackOfferIds[1]"])
        #expect(payload.commitmentInfo?.commitmentAutoRenewStatus == .on)
        #expect(payload.commitmentInfo?.commitmentRenewalPrice == 9990)
        let item = try #require(payload.advancedCommerceInfo?.items.first)
        #expect(item.SKU == "s")
        #expect(item.priceIncreaseInfo?.dependentSKUs == ["x"])
        #expect(payload.unknownMembers.isEmpty)
    }

    @Test("a notification, with its data or its summary")
    func notification() throws {
        let text = #"""
            {"notificationType":"EXPIRED","subtype":"VOLUNTARY","notificationUUID":"u",
             "version":"2.0","signedDate":5,
             "data":{"appAppleId":41234,"bundleId":"b","environment":"Sandbox","status":5,
                     "consumptionRequestReason":"LEGAL","signedTransactionInfo":"a.b.c"},
             "summary":{"requestIdentifier":"r","storefrontCountryCodes":["USA"],
                        "succeededCount":5,"failedCount":2}}
            """#
        let payload = NotificationPayload(try JSONValue(parsing: bytes(text)))
        #expect(payload.notificationType == .expired)
        #expect(payload.subtype == .voluntary)
        #expect(payload.data?.appAppleId == "41234")
        #expect(payload.data?.status == .revoked)
        #expect(payload.data?.consumptionRequestReason == .legal)
        #expect(payload.data?.signedTransactionInfo == "a.b.c")
        #expect(payload.summary?.storefrontCountryCodes == ["USA"])
        #expect(payload.summary?.failedCount == 2)
        #expect(payload.appData == nil)
    }

    @Test("Apple's library knows 23 types; 17 subtypes and the 2 only its documentation has")
    func counts() {
        #expect(NotificationType.known.count == 23)
        #expect(NotificationSubtype.known.count == 19)
    }
}
