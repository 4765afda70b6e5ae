/// What is known of one entity: a value that grows by `merge` and never depends on arrival order.
///
/// `merge` is associative, commutative and idempotent, so events may be folded late, twice and in
/// any batches (domain: facts).
public enum Facts: Sendable, Equatable {
    case order(OrderFacts)
    case transaction(TransactionFacts)
    case subscription(SubscriptionFacts)
    case token(TokenFacts)
    case account(AccountFacts)
    case delivery(DeliveryFacts)
    case installation(InstallationFacts)
    case appleOrder(AppleOrderFacts)
    case claim(ClaimFacts)

    /// The version of the stored form; facts of another version must be rebuilt.
    public static let version: UInt8 = 2

    /// The kind of entity these facts are about.
    public var kind: EntityKind {
        switch self {
        case .order: .order
        case .transaction: .transaction
        case .subscription: .subscription
        case .token: .token
        case .account: .account
        case .delivery: .delivery
        case .installation: .installation
        case .appleOrder: .appleOrder
        case .claim: .claim
        }
    }

    /// Joins what `other` knows of the same entity. Facts of another kind are a programming error.
    public mutating func merge(_ other: Facts) {
        switch (self, other) {
        case (.order(var mine), .order(let theirs)):
            mine.merge(theirs)
            self = .order(mine)
        case (.transaction(var mine), .transaction(let theirs)):
            mine.merge(theirs)
            self = .transaction(mine)
        case (.subscription(var mine), .subscription(let theirs)):
            mine.merge(theirs)
            self = .subscription(mine)
        case (.token(var mine), .token(let theirs)):
            mine.merge(theirs)
            self = .token(mine)
        case (.account(var mine), .account(let theirs)):
            mine.merge(theirs)
            self = .account(mine)
        case (.delivery(var mine), .delivery(let theirs)):
            mine.merge(theirs)
            self = .delivery(mine)
        case (.installation(var mine), .installation(let theirs)):
            mine.merge(theirs)
            self = .installation(mine)
        case (.appleOrder(var mine), .appleOrder(let theirs)):
            mine.merge(theirs)
            self = .appleOrder(mine)
        case (.claim(var mine), .claim(let theirs)):
            mine.merge(theirs)
            self = .claim(mine)
        case (.order, _), (.transaction, _), (.subscription, _), (.token, _), (.account, _),
            (.delivery, _), (.installation, _), (.appleOrder, _), (.claim, _):
            preconditionFailure("facts of a \(kind) met those of a \(other.kind)")
        }
    }

    // MARK: Stored form

    /// The stored form: a version byte, a kind byte, then the fields. Equal facts give equal bytes.
    public func encoded() -> [UInt8] {
        let (mark, body) =
            switch self {
            case .order(let facts): (UInt8(1), facts.coded())
            case .transaction(let facts): (UInt8(2), facts.coded())
            case .subscription(let facts): (UInt8(3), facts.coded())
            case .token(let facts): (UInt8(4), facts.coded())
            case .account(let facts): (UInt8(5), facts.coded())
            case .delivery(let facts): (UInt8(6), facts.coded())
            case .installation(let facts): (UInt8(7), facts.coded())
            case .appleOrder(let facts): (UInt8(8), facts.coded())
            case .claim(let facts): (UInt8(9), facts.coded())
            }
        return [Self.version, mark] + body
    }

    /// Reads a stored form.
    /// - Throws: `FactsError` when it has another version or cannot be read.
    public init(encoded bytes: [UInt8]) throws(FactsError) {
        guard bytes.count >= 2 else { throw .malformed }
        guard bytes[0] == Self.version else { throw .version(bytes[0]) }
        let body = Array(bytes[2...])
        switch bytes[1] {
        case 1: self = .order(try Self.read(body))
        case 2: self = .transaction(try Self.read(body))
        case 3: self = .subscription(try Self.read(body))
        case 4: self = .token(try Self.read(body))
        case 5: self = .account(try Self.read(body))
        case 6: self = .delivery(try Self.read(body))
        case 7: self = .installation(try Self.read(body))
        case 8: self = .appleOrder(try Self.read(body))
        case 9: self = .claim(try Self.read(body))
        default: throw .malformed
        }
    }

    private static func read<Value: Fact>(_ bytes: [UInt8]) throws(FactsError) -> Value {
        var coder = FactsCoder(reading: bytes)
        var value = Value()
        try coder.field(&value)
        guard coder.isAtEnd else { throw .malformed }
        return value
    }
}
