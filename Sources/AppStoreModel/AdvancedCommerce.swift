public import JSON

/// What an Advanced Commerce purchase consists of.
public struct AdvancedCommerceTransactionInfo: PayloadView {
    /// The app's own UUID of the request.
    public let requestReferenceId: String?
    /// The items bought.
    public let items: [AdvancedCommerceItem]
    /// Milliunits.
    public let estimatedTax: Int64?
    /// Milliunits.
    public let taxExclusivePrice: Int64?
    /// A decimal fraction such as `0.15`.
    public let taxRate: String?
    /// The code of the tax category.
    public let taxCode: String?
    /// ISO 8601.
    public let period: String?
    /// What the customer was shown.
    public let displayName: String?
    /// What the customer was shown, at length.
    public let description: String?

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        requestReferenceId = reader.text("requestReferenceId")
        items = reader.views("items")
        estimatedTax = reader.number("estimatedTax")
        taxExclusivePrice = reader.number("taxExclusivePrice")
        taxRate = reader.text("taxRate")
        taxCode = reader.text("taxCode")
        period = reader.text("period")
        displayName = reader.text("displayName")
        description = reader.text("description")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// One item of an Advanced Commerce purchase.
public struct AdvancedCommerceItem: PayloadView {
    /// The app's own name of the item.
    public let SKU: String?
    /// What the customer was shown.
    public let displayName: String?
    /// What the customer was shown, at length.
    public let description: String?
    /// Milliunits.
    public let price: Int64?
    /// What was refunded of it.
    public let refunds: [AdvancedCommerceRefund]
    /// When it was revoked, in milliseconds since 1970 UTC.
    public let revocationDate: Int64?
    /// The offer, as it came.
    public let offer: JSONValue?

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        SKU = reader.text("SKU")
        displayName = reader.text("displayName")
        description = reader.text("description")
        price = reader.number("price")
        refunds = reader.views("refunds")
        revocationDate = reader.instant("revocationDate")
        offer = reader.json("offer")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// A refund of one item of an Advanced Commerce purchase.
public struct AdvancedCommerceRefund: PayloadView {
    /// Milliunits.
    public let refundAmount: Int64?
    /// Milliseconds since 1970 UTC.
    public let refundDate: Int64?
    /// Why.
    public let refundReason: String?
    /// How much.
    public let refundType: AdvancedCommerceRefundType?

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        refundAmount = reader.number("refundAmount")
        refundDate = reader.instant("refundDate")
        refundReason = reader.text("refundReason")
        refundType = reader.value("refundType")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// What the next period of an Advanced Commerce subscription consists of.
public struct AdvancedCommerceRenewalInfo: PayloadView {
    /// The app's own UUID of the request.
    public let requestReferenceId: String?
    /// Changes with every change of the subscription.
    public let consistencyToken: String?
    /// The items.
    public let items: [AdvancedCommerceRenewalItem]
    /// The code of the tax category.
    public let taxCode: String?
    /// ISO 8601.
    public let period: String?
    /// What the customer was shown.
    public let displayName: String?
    /// What the customer was shown, at length.
    public let description: String?

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        requestReferenceId = reader.text("requestReferenceId")
        consistencyToken = reader.text("consistencyToken")
        items = reader.views("items")
        taxCode = reader.text("taxCode")
        period = reader.text("period")
        displayName = reader.text("displayName")
        description = reader.text("description")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// One item of the next period of an Advanced Commerce subscription.
public struct AdvancedCommerceRenewalItem: PayloadView {
    /// The app's own name of the item.
    public let SKU: String?
    /// What the customer was shown.
    public let displayName: String?
    /// What the customer was shown, at length.
    public let description: String?
    /// Milliunits.
    public let price: Int64?
    /// A higher price to come.
    public let priceIncreaseInfo: AdvancedCommercePriceIncrease?
    /// The offer, as it came.
    public let offer: JSONValue?

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        SKU = reader.text("SKU")
        displayName = reader.text("displayName")
        description = reader.text("description")
        price = reader.number("price")
        priceIncreaseInfo = reader.view("priceIncreaseInfo")
        offer = reader.json("offer")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}

/// A higher price to come for one item.
public struct AdvancedCommercePriceIncrease: PayloadView {
    /// The items that depend on it.
    public let dependentSKUs: [String]
    /// Milliunits.
    public let price: Int64?
    /// How far it is.
    public let status: String?

    /// See `PayloadView`.
    public let json: JSONValue
    /// See `PayloadView`.
    public let unknownMembers: [String]
    /// See `PayloadView`.
    public let unreadableMembers: [String]

    /// See `PayloadView`.
    public init(_ json: JSONValue) {
        self.json = json
        var reader = PayloadReader(json)
        dependentSKUs = reader.texts("dependentSKUs")
        price = reader.number("price")
        status = reader.text("status")
        unknownMembers = reader.unknown
        unreadableMembers = reader.unreadable
    }
}
