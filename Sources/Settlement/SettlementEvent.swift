public import JSON

/// An event as the domain sees it: what was told, by whom, when; never where it stands in the log.
public struct SettlementEvent: Sendable {
    /// The event's key (16 bytes); an answer's proof is made of such keys.
    public let key: [UInt8]
    /// The CloudEvents `source`.
    public let source: String
    /// The CloudEvents `type`, such as `storekit.purchased`.
    public let type: String
    /// When it passed our first door: milliseconds since 1970 UTC.
    public let receivedAt: Int64
    /// The CloudEvents `data`.
    public let data: JSONValue
    /// The signed parts with their verification, outer ones first.
    public let parts: [JSONValue]

    /// An event from its envelope.
    public init(
        key: [UInt8], source: String, type: String, receivedAt: Int64, data: JSONValue,
        parts: [JSONValue]
    ) {
        self.key = key
        self.source = source
        self.type = type
        self.receivedAt = receivedAt
        self.data = data
        self.parts = parts
    }

    /// The name of the installation that sent it, in `EntityKey.installation`; `nil` when it named
    /// neither a device nor an installation.
    public var installation: String? {
        let device = identifier("deviceId")
        let installation = identifier("installation")
        guard device != nil || installation != nil else { return nil }
        return "\(device ?? "")/\(installation ?? "")"
    }
}

extension SettlementEvent {
    var stamp: Stamp { Stamp(receivedAt: receivedAt, key: key) }

    /// The bundle it speaks of: what it says, else what its verified evidence says.
    var bundle: String {
        identifier("bundleId") ?? signedParts.first { $0.isVerified && $0.bundle != nil }?.bundle
            ?? ""
    }

    var account: String? { identifier("account") }
    var sequence: Int64? { data["sequence"]?.int64 }

    /// A member of `data` that names something.
    func identifier(_ name: String) -> String? { data[name]?.name }

    /// A member of `data` that is an order number and no placeholder.
    func orderNumber(_ name: String) -> String? { OrderNumber.read(data[name]?.name) }

    /// A member of `data` that is a UUID, in lower case.
    func uuid(_ name: String) -> String? {
        guard let text = identifier(name), OrderNumber.isUUID(text) else { return nil }
        return OrderNumber.folded(text)
    }
}
