/// Material that a door refused.
public struct Refusal: Sendable {
    /// The bytes as they came.
    public var bytes: [UInt8]
    /// Which door, such as `ingest` or `notifications`: one of a few names in code, never free.
    public var door: String
    /// A code of a closed set, kebab-case.
    public var reason: String
    /// One line that helps to find the fault and holds nothing personal; cut at 1,024 bytes.
    public var detail: String?
    /// In milliseconds since 1970 UTC; years 1 to 9999.
    public var receivedAt: Int64

    /// What was refused, where and why.
    public init(
        bytes: [UInt8], door: String, reason: String, detail: String? = nil, receivedAt: Int64
    ) {
        self.bytes = bytes
        self.door = door
        self.reason = reason
        self.detail = detail
        self.receivedAt = receivedAt
    }
}

/// What became of refused material.
public struct RefusalOutcome: Sendable, Equatable {
    /// Whether the bytes are in the quarantine.
    public enum Bytes: Sendable, Equatable {
        case kept
        /// The same bytes were there already.
        case keptBefore
        /// Larger than the quarantine takes.
        case tooLarge
        /// The door has used up what it may hold.
        case doorIsFull
    }

    /// Whether the log tells of it.
    public enum Log: Sendable, Equatable {
        /// By this call, at that position.
        case recorded(Int64)
        /// The log told of these bytes before, at that position.
        case recordedBefore(Int64)
        /// Only counted: the door has been told of too often in this minute.
        case counted
    }

    /// SHA-256 of the bytes.
    public let digest: [UInt8]
    /// What became of the bytes.
    public let bytes: Bytes
    /// What the log says of it.
    public let log: Log
}

/// The bounds of the quarantine.
public struct QuarantineLimits: Sendable {
    /// The largest piece that is kept, in bytes.
    public var itemBytesMax: Int
    /// What one door may hold, in bytes; each piece counts 512 beside its own.
    public var doorBytesMax: Int64
    /// After how many days a piece may be deleted to make room.
    public var daysMax: Int
    /// How many refusals of one door the log tells of in a minute.
    public var recordedPerMinuteMax: Int

    /// The bounds of event-log.md, section 2, in numbers.
    public init(
        itemBytesMax: Int = 32 << 20, doorBytesMax: Int64 = 256 << 20, daysMax: Int = 30,
        recordedPerMinuteMax: Int = 60
    ) {
        self.itemBytesMax = itemBytesMax
        self.doorBytesMax = doorBytesMax
        self.daysMax = daysMax
        self.recordedPerMinuteMax = recordedPerMinuteMax
    }
}

/// A piece of the quarantine, without its bytes.
public struct QuarantinedItem: Sendable, Equatable {
    /// SHA-256 of the bytes.
    public let digest: [UInt8]
    /// Which door refused it.
    public let door: String
    /// Why, as a code.
    public let reason: String
    /// Why, in words.
    public let detail: String?
    /// In milliseconds since 1970 UTC.
    public let receivedAt: Int64
    /// When it was put here, in milliseconds since 1970 UTC.
    public let keptAt: Int64
    /// In bytes.
    public let size: Int64
}

/// How much a door refused for one reason.
public struct RefusalCount: Sendable, Equatable {
    /// Which door.
    public let door: String
    /// Why, as a code.
    public let reason: String
    /// All of it.
    public let refused: Int64
    /// Of that, what the log tells of.
    public let recorded: Int64
    /// Of that, whose bytes were put into the quarantine.
    public let kept: Int64
}
