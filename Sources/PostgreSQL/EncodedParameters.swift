/// The parameters of one execution in one buffer, in the shape that libpq wants them.
struct EncodedParameters {
    /// The protocol counts parameters with 16 bits.
    static let countMax = 65_535

    let types: [UInt32]
    private var buffer: [UInt8] = []
    /// Where each value begins; nil is NULL.
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []

    init(_ parameters: [Parameter], place: String) throws {
        guard parameters.count <= Self.countMax else {
            throw PostgreSQLError(.tooManyParameters, place: place)
        }
        types = parameters.map(\.type.rawValue)
        // A place even for an empty value, because a null pointer would mean NULL.
        buffer.reserveCapacity(16 * parameters.count + 1)
        for parameter in parameters {
            let start = buffer.count + 4
            do {
                try buffer.append(field: parameter.value)
            } catch let error as PostgreSQLError {
                throw PostgreSQLError(error.code, place: place)
            }
            offsets.append(parameter.value == .null ? nil : start)
            lengths.append(Int32(buffer.count - start))
        }
        buffer.append(0)
    }

    var count: Int32 { Int32(types.count) }

    /// Hands out the arrays of values, lengths and formats (all binary).
    func withPointers<R>(
        _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) throws -> R
    ) rethrows -> R {
        try buffer.withUnsafeBytes { bytes in
            let base = bytes.bindMemory(to: CChar.self).baseAddress
            let values = offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }
            return try body(values, lengths, Array(repeating: 1, count: lengths.count))
        }
    }
}
