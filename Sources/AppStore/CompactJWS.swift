internal import Cryptography
internal import Glibc
internal import JSON

/// A JWS in compact serialization (RFC 7515, section 7.1), taken apart but not yet believed.
struct CompactJWS {
    /// The header's segment as it came; the cache of chains knows it by these bytes.
    let headerSegment: ArraySlice<UInt8>
    /// The payload's segment as it came.
    let payloadSegment: ArraySlice<UInt8>
    let signatureSegment: ArraySlice<UInt8>

    /// Exactly three parts.
    init(_ bytes: [UInt8]) throws(RefusalReason) {
        guard let first = Self.dot(in: bytes, from: 0),
            let second = Self.dot(in: bytes, from: first + 1),
            Self.dot(in: bytes, from: second + 1) == nil
        else { throw .malformed }
        headerSegment = bytes[..<first]
        payloadSegment = bytes[(first + 1)..<second]
        signatureSegment = bytes[(second + 1)...]
    }

    private static func dot(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress,
                let found = memchr(base + start, Int32(UInt8(ascii: ".")), buffer.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    /// The JSON object of a segment, with its text.
    static func object(
        _ segment: ArraySlice<UInt8>, limits: JSONLimits
    ) throws(RefusalReason) -> (value: JSONValue, bytes: [UInt8]) {
        guard let bytes = segment.withUnsafeBufferPointer(Base64.decodeURL) else {
            throw .malformed
        }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes, limits: limits)
        } catch {
            throw error.refusal
        }
        guard value.members != nil else { throw .malformed }
        return (value, bytes)
    }

    /// r and s, 64 bytes. Any other length is a text that was cut or converted, not a forgery.
    func signature() throws(RefusalReason) -> [UInt8] {
        guard let signature = signatureSegment.withUnsafeBufferPointer(Base64.decodeURL),
            signature.count == P256.signatureByteCount
        else { throw .malformed }
        return signature
    }
}

extension JSONError {
    /// What it means for material that is or holds such JSON.
    var refusal: RefusalReason {
        switch reason {
        case .tooLarge, .tooManyValues: .tooLarge
        case .tooDeep, .unexpectedEnd, .unexpectedByte, .badNumber, .badEscape, .controlCharacter,
            .notUTF8, .duplicateName, .trailingBytes:
            .malformed
        }
    }
}
