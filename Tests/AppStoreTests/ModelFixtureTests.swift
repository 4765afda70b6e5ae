import AppStore
import AppStoreModel
import JSON
import Testing

/// Apple's own samples of decoded payloads and of answers.
@Suite(.enabled(if: Fixtures.areHere, "the fixtures' folder is absent: set QUITTANCE_FIXTURES"))
struct ModelFixtureTests {
    static let folder = "app-store-server-library/models/"

    static func json(_ name: String) throws -> JSONValue {
        try JSONValue(parsing: try Fixtures.bytes(name))
    }

    /// The view for each sample; samples of what is not Apple's evidence have none.
    static func view(_ name: String, _ json: JSONValue) -> (any PayloadView)? {
        switch name {
        case "signedTransaction", "signedTransactionWithRevocation": TransactionPayload(json)
        case "signedRenewalInfo": RenewalPayload(json)
        case "appTransaction": AppTransactionPayload(json)
        case "appData": NotificationAppData(json)
        case "lookupOrderIdResponse": OrderLookupAnswer(json)
        case "getAllSubscriptionStatusesResponse": SubscriptionStatusesAnswer(json)
        case "getNotificationHistoryResponse": NotificationHistoryPage(json)
        case "getTestNotificationStatusResponse": SentNotification(json)
        case "getRefundHistoryResponse": TransactionPage(json)
        case _ where name.hasPrefix("transactionHistoryResponse"): TransactionPage(json)
        case _ where name.hasPrefix("signed"): NotificationPayload(json)
        case _ where json["errorCode"] != nil: ErrorAnswer(json)
        default: nil
        }
    }

    static let names = [
        "apiException", "apiTooManyRequestsException", "apiUnknownError", "appData",
        "appTransaction", "appTransactionDoesNotExistError", "familyTransactionNotSupportedError",
        "getAllSubscriptionStatusesResponse", "getNotificationHistoryResponse",
        "getRefundHistoryResponse", "getTestNotificationStatusResponse",
        "invalidAppAccountTokenUUIDError", "invalidTransactionIdError", "lookupOrderIdResponse",
        "signedConsumptionRequestNotification", "signedExternalPurchaseTokenNotification",
        "signedExternalPurchaseTokenSandboxNotification", "signedNotification",
        "signedRenewalInfo", "signedRescindConsentNotification", "signedSummaryNotification",
        "signedTransaction", "signedTransactionWithRevocation", "transactionHistoryResponse",
        "transactionHistoryResponseWithMalformedAppAppleId",
        "transactionHistoryResponseWithMalformedEnvironment", "transactionIdNotFoundError",
        "transactionIdNotOriginalTransactionId",
    ]

    @Test("every member of a sample has a place in its view, and can be read", arguments: names)
    func everyMember(name: String) throws {
        let view = try #require(Self.view(name, try Self.json(Self.folder + name + ".json")))
        #expect(view.unknownMembers.isEmpty)
        #expect(view.unreadableMembers.isEmpty)
    }

    @Test("what is malformed is kept as it came")
    func malformed() throws {
        let id = TransactionPage(
            try Self.json(Self.folder + "transactionHistoryResponseWithMalformedAppAppleId.json"))
        #expect(id.appAppleId == "blue" && id.signedTransactions.count == 2 && id.hasMore == true)
        let environment = TransactionPage(
            try Self.json(Self.folder + "transactionHistoryResponseWithMalformedEnvironment.json"))
        #expect(environment.environment?.rawValue == "LocalTestingxxx")
        #expect(environment.environment?.isKnown == false)
    }

    @Test("the values of the samples")
    func values() throws {
        let refund = TransactionPayload(
            try Self.json(Self.folder + "signedTransactionWithRevocation.json"))
        #expect(refund.revocationType == .refundProrated && refund.revocationPercentage == 50_000)
        let lookup = OrderLookupAnswer(try Self.json(Self.folder + "lookupOrderIdResponse.json"))
        #expect(lookup.isValid == false && lookup.signedTransactions.count == 2)
        let statuses = SubscriptionStatusesAnswer(
            try Self.json(Self.folder + "getAllSubscriptionStatusesResponse.json"))
        #expect(statuses.data.first?.lastTransactions.map(\.status) == [.active, .revoked])
        let history = NotificationHistoryPage(
            try Self.json(Self.folder + "getNotificationHistoryResponse.json"))
        #expect(history.notificationHistory.count == 2)
        let attempts = try #require(history.notificationHistory.first?.sendAttempts)
        #expect(attempts.map(\.sendAttemptResult?.rawValue) == ["NO_RESPONSE", "SUCCESS"])
        #expect(attempts.first?.attemptDate == 1_698_148_900_000)
        let family = ErrorAnswer(
            try Self.json(Self.folder + "familyTransactionNotSupportedError.json"))
        #expect(family.errorCode == .familyTransaction)
        let unknown = ErrorAnswer(try Self.json(Self.folder + "apiUnknownError.json"))
        #expect(unknown.errorCode?.rawValue == 9_990_000 && unknown.errorCode?.isKnown == false)
    }

    @Test(
        "answers of Apple's server are told from their samples",
        arguments: [
            ("transactionHistoryResponse", AnswerEndpoint.transactionHistory),
            ("getRefundHistoryResponse", .refundHistory), ("lookupOrderIdResponse", .orderLookup),
            ("transactionInfoResponse", .transactionInfo),
            ("appTransactionInfoResponse", .appTransactionInfo),
            ("getAllSubscriptionStatusesResponse", .subscriptionStatuses),
            ("getNotificationHistoryResponse", .notificationHistory),
            ("getTestNotificationStatusResponse", .testNotificationStatus),
            ("apiException", .error),
        ])
    func endpoints(name: String, endpoint: AnswerEndpoint) throws {
        let bytes = try Fixtures.bytes(Self.folder + name + ".json")
        #expect(detect(bytes) == .wrapper(.answer(endpoint)))
        let report = inspect(bytes, reader: EvidenceReader())
        #expect(report.nested.allSatisfy { $0.verification.reason == .malformed })
    }

    // MARK: Unsigned JSON

    @Test("a date that is there twice and differs: the milliseconds count, and it is listed")
    func disagreeingDates() throws {
        let answer = VerifyReceiptAnswer(try Self.json("monza/cancellation_response.json"))
        let line = try #require(answer.latestReceiptInfo.first)
        #expect(line.cancellationDate == 1_466_127_848_000)
        #expect(line.disagreeingDates == ["cancellation_date"])
        let genuine = VerifyReceiptAnswer(try Self.json("purchases-ios/verifyReceiptSample1.txt"))
        #expect(genuine.latestReceiptInfo.count == 9)
        #expect(genuine.latestReceiptInfo.allSatisfy { $0.disagreeingDates.isEmpty })
    }

    @Test("ids, instants and flags as JSON numbers and booleans are the same")
    func numbers() throws {
        let answer = VerifyReceiptAnswer(
            try Self.json("store-receipt-validator/inAppPurchaseResponse.json"))
        let line = try #require(answer.latestReceiptInfo.first)
        #expect(line.transactionId == "1000000104232856")
        #expect(line.originalTransactionId == "1000000093384828")
        #expect(line.expiresDate == 1_394_619_485_000)
        #expect(line.isTrialPeriod == false && line.quantity == 1)
        let unsorted = answer.latestReceiptInfo.compactMap(\.expiresDate)
        #expect(unsorted != unsorted.sorted())
    }

    @Test("an original date after the purchase is accepted")
    func laterOriginals() throws {
        let answer = VerifyReceiptAnswer(
            try Self.json("appstore-iap/verify_receipt_response.json"))
        let lines = try #require(answer.receipt?.inApp)
        #expect(lines.count == 42)
        #expect(lines.contains { ($0.originalPurchaseDate ?? 0) > ($0.purchaseDate ?? 0) })
    }

    @Test(
        "a notification V1 whose latest_receipt_info is one object, or a list",
        arguments: [
            ("monza/cancel.json", "CANCEL", "720000240377671", "com.bundle.id"),
            ("monza/initial_buy.json", "INITIAL_BUY", "1000000383185294", nil),
            (
                "store-receipt-validator/serverNotificationRequest.json", "DID_RENEW",
                "100000000000001", "my.app"
            ),
            (
                "appstore-iap/server-notification.json", "DID_CHANGE_RENEWAL_STATUS",
                "1000000746095599", "com.some.thing"
            ),
        ] as [(String, String, String, String?)])
    func notificationsV1(file: String, type: String, id: String, bundle: String?) throws {
        let notification = NotificationV1Payload(try Self.json(file))
        #expect(notification.notificationType == type)
        let line = try #require(notification.unifiedReceipt?.latestReceiptInfo.first)
        #expect(line.transactionId == id && line.expiresDate != nil)
        #expect(notification.environment?.isKnown == true)
        let report = inspect(try Fixtures.bytes(file), reader: EvidenceReader())
        #expect(report.kind == "notification-v1" && report.verification.status == .unsigned)
        #expect(report.payload?["password"]?.isNull == true)
        if let bundle, notification.bundleId != nil { #expect(notification.bundleId == bundle) }
    }

    @Test(
        "every other file of Monza's is what it is",
        arguments: [
            ("bad_response", "verify-receipt-answer"), ("response", "verify-receipt-answer"),
            ("cancellation_response", "verify-receipt-answer"), ("renewal", "notification-v1"),
            ("interactive_renewal", "notification-v1"),
            ("did_change_renewal_pref", "notification-v1"),
            ("renewal_with_unified_receipt", "notification-v1"),
        ])
    func monza(file: String, kind: String) throws {
        let report = inspect(
            try Fixtures.bytes("monza/\(file).json"), reader: EvidenceReader())
        #expect(report.kind == kind && report.verification.status == .unsigned)
    }
}
