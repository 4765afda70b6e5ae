/// A type that the elements of a column's array can be read as.
public protocol RowArrayElement {
    /// Throws `unexpectedNull` or `wrongType`.
    static func array(from cell: Cell) throws -> [Self]
}

extension Array: RowValue where Element: RowArrayElement {
    /// `bytea` or `uuid` for bytes, else an array of one dimension.
    public init(cell: Cell) throws { self = try Element.array(from: cell) }
}

extension UInt8: RowArrayElement {
    /// The bytes of a `bytea` or `uuid`.
    public static func array(from cell: Cell) throws -> [UInt8] {
        Array(try cell.bytes(.bytea, .uuid))
    }
}

extension RowArrayElement where Self: RowValue {
    /// The elements of an array of at most one dimension, as `array_send` of PostgreSQL writes it.
    public static func array(from cell: Cell) throws -> [Self] {
        guard let bytes = cell.bytes else { throw PostgreSQLError(.unexpectedNull) }
        var reader = FieldReader(bytes)
        let dimensions: Int32 = try reader.number()
        _ = try reader.number() as Int32
        let type = TypeIdentifier(rawValue: try reader.number())
        if dimensions == 0 { return [] }
        guard dimensions == 1 else { throw PostgreSQLError(.wrongType) }
        let size: Int32 = try reader.number()
        _ = try reader.number() as Int32
        // Each element takes 4 bytes at least, so a wrong size cannot reserve much.
        guard size >= 0, Int(size) <= bytes.count / 4 else { throw PostgreSQLError(.wrongType) }
        return try (0..<size).map { _ in
            try Self(cell: Cell(bytes: try reader.field(), type: type))
        }
    }
}

extension Int64: RowArrayElement {}
extension Int32: RowArrayElement {}
extension Int: RowArrayElement {}
extension Double: RowArrayElement {}
extension Bool: RowArrayElement {}
extension String: RowArrayElement {}
extension Timestamp: RowArrayElement {}
extension Optional: RowArrayElement where Wrapped: RowValue {}
extension Array: RowArrayElement where Element == UInt8 {}

/// Reads numbers and length-prefixed fields one after the other, and never beyond the end.
struct FieldReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func number<I: FixedWidthInteger>(as type: I.Type = I.self) throws -> I {
        let size = MemoryLayout<I>.size
        guard bytes.count - offset >= size else { throw PostgreSQLError(.wrongType) }
        defer { offset += size }
        return I(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: I.self))
    }

    /// A field: its length and its bytes; nil is NULL.
    mutating func field() throws -> UnsafeRawBufferPointer? {
        guard let range = try fieldRange() else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[range])
    }

    mutating func fieldRange() throws -> Range<Int>? {
        let length = Int(try number(as: Int32.self))
        if length == -1 { return nil }
        guard length >= 0, bytes.count - offset >= length else {
            throw PostgreSQLError(.wrongType)
        }
        defer { offset += length }
        return offset..<offset + length
    }
}
