/// A type that a column's value can be read as.
public protocol RowValue {
    /// Throws `unexpectedNull` or `wrongType`.
    init(cell: Cell) throws
}

/// The binary form of one value; it must not be kept.
public struct Cell {
    /// nil is NULL.
    let bytes: UnsafeRawBufferPointer?
    /// nil when unknown, as in a COPY.
    let type: TypeIdentifier?

    /// The bytes, if the value is there and its type is one of those (or unknown).
    func bytes(_ types: TypeIdentifier...) throws -> UnsafeRawBufferPointer {
        guard let bytes else { throw PostgreSQLError(.unexpectedNull) }
        if let type, !types.contains(type) { throw PostgreSQLError(.wrongType) }
        return bytes
    }
}

extension UnsafeRawBufferPointer {
    /// A big-endian number that takes all the bytes.
    func bigEndian<I: FixedWidthInteger>(_: I.Type) throws -> I {
        guard count == MemoryLayout<I>.size else { throw PostgreSQLError(.wrongType) }
        return I(bigEndian: loadUnaligned(as: I.self))
    }
}

extension Int64: RowValue {
    /// `bigint`, `integer`, `smallint` or `oid`.
    public init(cell: Cell) throws {
        let bytes = try cell.bytes(.int8, .int4, .int2, .oid)
        switch bytes.count {
        case 2: self = Int64(try bytes.bigEndian(Int16.self))
        case 4 where cell.type == .oid: self = Int64(try bytes.bigEndian(UInt32.self))
        case 4: self = Int64(try bytes.bigEndian(Int32.self))
        default: self = try bytes.bigEndian(Int64.self)
        }
    }
}

extension Int: RowValue {
    /// `bigint`, `integer`, `smallint` or `oid`.
    public init(cell: Cell) throws { self = Int(try Int64(cell: cell)) }
}

extension Int32: RowValue {
    /// `integer` or `smallint`.
    public init(cell: Cell) throws {
        let bytes = try cell.bytes(.int4, .int2)
        self =
            bytes.count == 2
            ? Int32(try bytes.bigEndian(Int16.self)) : try bytes.bigEndian(Int32.self)
    }
}

extension Double: RowValue {
    /// `double precision`.
    public init(cell: Cell) throws {
        self.init(bitPattern: try cell.bytes(.float8).bigEndian(UInt64.self))
    }
}

extension Bool: RowValue {
    /// `boolean`.
    public init(cell: Cell) throws { self = try cell.bytes(.bool).bigEndian(UInt8.self) != 0 }
}

extension String: RowValue {
    /// `text`, `varchar`, `char(n)`, `name`, `json` or `jsonb`.
    public init(cell: Cell) throws {
        let bytes = try cell.bytes(.text, .varchar, .bpchar, .name, .json, .jsonb, .unknown)
        // The first byte of a binary jsonb is the version of its form.
        self.init(decoding: bytes.dropFirst(cell.type == .jsonb ? 1 : 0), as: UTF8.self)
    }
}

extension Timestamp: RowValue {
    /// `timestamptz`, rounded down to the millisecond; `infinity` is refused.
    public init(cell: Cell) throws {
        try self.init(microseconds: cell.bytes(.timestamptz).bigEndian(Int64.self))
    }
}

extension Optional: RowValue where Wrapped: RowValue {
    /// NULL is nil.
    public init(cell: Cell) throws { self = cell.bytes == nil ? nil : try Wrapped(cell: cell) }
}
