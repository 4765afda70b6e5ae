/// A value of one of Apple's enumerations, all of which are open: a value that is not known here is
/// kept as it came and can be compared like any other.
public protocol OpenValue: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue: Hashable & Sendable & CustomStringConvertible {
    /// The values that were documented when this was written.
    static var known: Set<Self> { get }
    /// Any raw value is taken.
    init(rawValue: RawValue)
}

extension OpenValue {
    /// Whether the value was documented when this was written.
    public var isKnown: Bool { Self.known.contains(self) }
    /// The raw value.
    public var description: String { rawValue.description }
}
