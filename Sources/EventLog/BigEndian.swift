extension [UInt8] {
    /// Appends an integer, highest byte first.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends `0x00` for nothing, or `0x01`, the length in four bytes and the bytes themselves.
    mutating func append(field value: (some Collection<UInt8>)?) {
        guard let value else { return append(0) }
        append(1)
        append(lengthPrefixed: value)
    }

    mutating func append(lengthPrefixed value: some Collection<UInt8>) {
        append(bigEndian: UInt32(value.count))
        append(contentsOf: value)
    }

    /// The integer of four bytes at `offset`, highest first; `nil` where they do not all exist.
    func bigEndianUInt32(at offset: Int) -> UInt32? {
        guard offset >= 0, offset + 4 <= count else { return nil }
        return self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
