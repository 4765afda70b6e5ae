import CPostgreSQL

/// A row of a binary COPY, in memory of libpq.
// SAFETY: the memory belongs to this object alone, is never written, and is freed once.
final class CopiedRow: @unchecked Sendable {
    private let bytes: UnsafeMutableRawBufferPointer
    private let fields: [Range<Int>?]
    let place: String

    /// Takes over `bytes`, from PQgetCopyData; `start` skips the header of the COPY. Nil at the
    /// trailer.
    init?(_ bytes: UnsafeMutableRawBufferPointer, from start: Int, place: String) throws {
        self.bytes = bytes
        self.place = place
        var reader = FieldReader(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        do {
            let count = Int(try reader.number(as: Int16.self))
            fields = try (0..<max(0, count)).map { _ in
                try reader.fieldRange().map { $0.lowerBound + start..<$0.upperBound + start }
            }
            if count < 0 {
                return nil
            }
        } catch {
            PQfreemem(bytes.baseAddress)  // deinit does not run for a half-made object
            throw PostgreSQLError(.wrongType, place: place)
        }
    }

    deinit { PQfreemem(bytes.baseAddress) }

    var count: Int { fields.count }

    /// Valid as long as this object lives; nil is NULL.
    subscript(index: Int) -> UnsafeRawBufferPointer? {
        fields[index].map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
    }
}
