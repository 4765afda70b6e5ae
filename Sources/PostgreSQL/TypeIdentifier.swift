/// The number of a type in `pg_type`; those of the built-in types never change.
public struct TypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// libpq's `Oid`.
    public let rawValue: UInt32

    /// Any type, known here or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ rawValue: UInt32) { self.rawValue = rawValue }

    static let bool = Self(16)
    static let bytea = Self(17)
    static let name = Self(19)
    static let int8 = Self(20)
    static let int2 = Self(21)
    static let int4 = Self(23)
    static let text = Self(25)
    static let oid = Self(26)
    static let json = Self(114)
    static let float8 = Self(701)
    static let unknown = Self(705)
    static let bpchar = Self(1042)
    static let varchar = Self(1043)
    static let timestamptz = Self(1184)
    static let uuid = Self(2950)
    static let jsonb = Self(3802)

    static let boolArray = Self(1000)
    static let byteaArray = Self(1001)
    static let int4Array = Self(1007)
    static let textArray = Self(1009)
    static let int8Array = Self(1016)
    static let timestamptzArray = Self(1185)
    static let uuidArray = Self(2951)
}
