/// A value that goes to the server in binary form, with the number of its type. `nil` is NULL.
///
/// Text must not hold U+0000 (the server refuses it with SQLSTATE 22021): bytes that may hold
/// anything are `bytea`.
public struct Parameter: Sendable, Hashable {
    enum Value: Sendable, Hashable {
        case null
        case bool(Bool)
        case int32(Int32)
        case int64(Int64)
        case double(Double)
        case text(String)
        case bytes([UInt8])
        case jsonb([UInt8])
        case timestamp(Timestamp)
        case array(of: TypeIdentifier, [Value])
    }

    let type: TypeIdentifier
    let value: Value

    private init<T>(_ type: TypeIdentifier, _ value: T?, _ wrap: (T) -> Value) {
        self.type = type
        self.value = value.map(wrap) ?? .null
    }

    private init<T>(
        _ type: TypeIdentifier, of element: TypeIdentifier, _ values: [T?], _ wrap: (T) -> Value
    ) {
        self.type = type
        value = .array(of: element, values.map { $0.map(wrap) ?? .null })
    }
}

extension Parameter {
    /// `boolean`.
    public static func bool(_ value: Bool?) -> Self { Self(.bool, value, Value.bool) }
    /// `integer`.
    public static func int32(_ value: Int32?) -> Self { Self(.int4, value, Value.int32) }
    /// `bigint`.
    public static func int64(_ value: Int64?) -> Self { Self(.int8, value, Value.int64) }
    /// `double precision`.
    public static func double(_ value: Double?) -> Self { Self(.float8, value, Value.double) }
    /// `text`.
    public static func text(_ value: String?) -> Self { Self(.text, value, Value.text) }
    /// `bytea`.
    public static func bytea(_ value: [UInt8]?) -> Self { Self(.bytea, value, Value.bytes) }
    /// `uuid`: 16 bytes.
    public static func uuid(_ value: [UInt8]?) -> Self { Self(.uuid, value, Value.bytes) }
    /// `jsonb`: the UTF-8 of a JSON text.
    public static func jsonb(_ value: [UInt8]?) -> Self { Self(.jsonb, value, Value.jsonb) }
    /// `timestamptz`.
    public static func timestamp(_ value: Timestamp?) -> Self {
        Self(.timestamptz, value, Value.timestamp)
    }
    /// `timestamptz`, from milliseconds since 1970 UTC.
    public static func timestamp(milliseconds: Int64?) -> Self {
        timestamp(milliseconds.map(Timestamp.init(milliseconds:)))
    }
}

extension Parameter {
    /// `boolean[]`.
    public static func bools(_ values: [Bool?]) -> Self {
        Self(.boolArray, of: .bool, values, Value.bool)
    }
    /// `integer[]`.
    public static func int32s(_ values: [Int32?]) -> Self {
        Self(.int4Array, of: .int4, values, Value.int32)
    }
    /// `bigint[]`.
    public static func int64s(_ values: [Int64?]) -> Self {
        Self(.int8Array, of: .int8, values, Value.int64)
    }
    /// `text[]`.
    public static func texts(_ values: [String?]) -> Self {
        Self(.textArray, of: .text, values, Value.text)
    }
    /// `bytea[]`.
    public static func byteas(_ values: [[UInt8]?]) -> Self {
        Self(.byteaArray, of: .bytea, values, Value.bytes)
    }
    /// `uuid[]`: 16 bytes each.
    public static func uuids(_ values: [[UInt8]?]) -> Self {
        Self(.uuidArray, of: .uuid, values, Value.bytes)
    }
    /// `timestamptz[]`.
    public static func timestamps(_ values: [Timestamp?]) -> Self {
        Self(.timestamptzArray, of: .timestamptz, values, Value.timestamp)
    }
    /// `timestamptz[]`, from milliseconds since 1970 UTC.
    public static func timestamps(milliseconds: [Int64?]) -> Self {
        timestamps(milliseconds.map { $0.map(Timestamp.init(milliseconds:)) })
    }
}
