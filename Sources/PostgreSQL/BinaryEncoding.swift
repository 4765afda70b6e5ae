extension [UInt8] {
    /// Big-endian, as everything in PostgreSQL's protocol.
    mutating func append<I: FixedWidthInteger>(bigEndian value: I) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// A field of a row or of an array: its length (-1 for NULL) and its bytes.
    mutating func append(field value: Parameter.Value) throws {
        let start = count
        append(bigEndian: Int32(-1))
        if case .null = value { return }
        try append(bytesOf: value)
        guard let length = Int32(exactly: count - start - 4) else {
            throw PostgreSQLError(.numericValueOutOfRange)
        }
        withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: length.bigEndian, toByteOffset: start, as: Int32.self)
        }
    }

    private mutating func append(bytesOf value: Parameter.Value) throws {
        switch value {
        case .null: break
        case .bool(let bool): append(bool ? 1 : 0)
        case .int32(let number): append(bigEndian: number)
        case .int64(let number): append(bigEndian: number)
        case .double(let number): append(bigEndian: number.bitPattern)
        case .text(let text): append(contentsOf: text.utf8)
        case .bytes(let bytes): append(contentsOf: bytes)
        case .jsonb(let bytes):
            append(1)  // the version of jsonb's binary form
            append(contentsOf: bytes)
        case .timestamp(let instant): append(bigEndian: try instant.microseconds())
        case .array(let element, let values): try append(arrayOf: element, values)
        }
    }

    /// `array_recv` of PostgreSQL: dimensions, whether NULLs occur, the element's type, then for
    /// the only dimension its size and lower bound, then the fields.
    private mutating func append(
        arrayOf element: TypeIdentifier, _ values: [Parameter.Value]
    ) throws {
        guard let size = Int32(exactly: values.count) else {
            throw PostgreSQLError(.numericValueOutOfRange)
        }
        append(bigEndian: Int32(values.isEmpty ? 0 : 1))
        append(bigEndian: Int32(values.contains(.null) ? 1 : 0))
        append(bigEndian: element.rawValue)
        if values.isEmpty { return }
        append(bigEndian: size)
        append(bigEndian: Int32(1))
        for value in values { try append(field: value) }
    }
}
