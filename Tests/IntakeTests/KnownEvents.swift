import JSON
import TestKit

/// An event of each type of the domain, with the members that it must have.
enum KnownEvents {
    /// A type with what an event of it must carry, and what else it may carry.
    struct Row: Sendable, CustomStringConvertible {
        let type: String
        let required: [JSONMember]
        let optional: [JSONMember]

        init(
            _ type: String, _ required: KeyValuePairs<String, (any JSONText)?>,
            and optional: KeyValuePairs<String, (any JSONText)?> = [:]
        ) {
            self.type = type
            self.required = [JSONMember("bundleId", TestApple.bundle.json)] + members(required)
            self.optional = members(optional)
        }

        var description: String { type }

        /// With nothing but what it must have.
        var least: EventText {
            var text = EventText(type)
            text.data = required
            return text
        }

        /// With all that the domain names.
        var whole: EventText {
            var text = EventText(type)
            text.data = required + optional
            return text
        }
    }

    static let platform = [
        Row(
            "order.created", ["orderNumber": "A-1", "productId": "gems.60"],
            and: [
                "productType": "Consumable", "quantity": 1, "price": 990, "currency": "USD",
                "storefront": "USA", "appAccountToken": "6f9619ff-8b86-d011-b42d-00c04fc964ff",
                "account": "anna", "environment": "Production",
            ]),
        Row("order.cancelled", ["orderNumber": "A-1"], and: ["reason": "too late"]),
        Row("order.payment-linked", ["orderNumber": "A-1", "transactionId": "7"]),
        Row(
            "account.registered",
            ["account": "anna", "appAccountToken": "6f9619ff-8b86-d011-b42d-00c04fc964ff"]),
        Row(
            "account.consented", ["account": "anna", "purpose": "consumption", "granted": true]),
    ]

    static let device =
        ["purchasing", "purchased", "failed", "restored", "deferred"].map { callback in
            Row(
                "storekit.\(callback)", ["productId": "gems.60"],
                and: [
                    "applicationUsername": "A-1", "quantity": 1, "transactionId": 7,
                    "originalTransactionId": "7", "transactionDate": 1_773_489_600_000,
                    "errorDomain": "SKErrorDomain", "errorCode": 2, "appVersion": "3.1",
                    "osVersion": "18.3", "deviceId": "D", "installation": "I", "sequence": 4,
                ])
        } + [
            Row(
                "storekit.finished", ["transactionId": "7"],
                and: [
                    "applicationUsername": "A-1", "productId": "gems.60",
                    "acknowledgedByServer": false,
                ]),
            Row(
                "storekit.observer-started", [:], and: ["queueLength": 3, "transactionIds": ["7"]]),
            Row(
                "storekit.products-requested", [:],
                and: ["productIds": ["gems.60"], "invalidProductIds": [String]()]),
        ]

    static let delivery = ["requested", "succeeded", "failed", "reversed"].map { step in
        Row(
            "delivery.\(step)", ["deliveryId": "d", "productId": "gems.60", "orderNumber": "A-1"],
            and: [
                "transactionId": "7", "quantity": 1, "claimId": "C", "grant": "goodwill",
                "reason": "lost",
            ])
    }

    static let support =
        [
            Row(
                "claim.opened", ["claimId": "C"],
                and: [
                    "statement": "I paid", "applicationUsername": "A-1", "transactionId": "7",
                    "orderId": "MABC", "productId": "gems.60", "amount": 990, "currency": "USD",
                    "claimedAt": 1_773_489_600_000, "channel": "chat", "ticket": "T-1",
                    "account": "anna",
                ]),
            Row("claim.settled", ["claimId": "C", "outcome": "redelivered"]),
            Row(
                "payment.linked", ["orderNumber": "A-1", "transactionId": "7"],
                and: ["reason": "a screenshot"]),
            Row("payment.unlinked", ["orderNumber": "A-1", "transactionId": "7"]),
        ]
        + ["noted", "assigned", "evidence-added", "reopened"].map {
            Row("claim.\($0)", ["claimId": "C"])
        }

    static let service = [
        Row("settings.changed", [:], and: ["convention": "account"]),
        Row("policy.changed", [:], and: ["deliveryGrace": 60_000]),
    ]

    static let all = platform + device + delivery + support + service

    /// Types of the domain of which nothing is checked yet, and one that nobody knows.
    static let unchecked = [
        "payment.transferred", "goodwill.granted", "approval.requested", "approval.granted",
        "approval.refused", "view.read", "ledger.line", "report.line", "storekit.of-tomorrow",
    ]
}
