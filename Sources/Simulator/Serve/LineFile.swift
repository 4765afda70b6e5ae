internal import Cryptography
internal import FoundationEssentials
internal import JSON

/// Why a world's folder cannot be served.
public struct ServedWorldError: Error, Sendable, CustomStringConvertible {
    /// One line: the file and what is wrong with it.
    public let description: String
}

/// A file of a world's folder whose lines are JSON texts.
struct LineFile {
    /// Longest file that is read, in bytes: what is served is kept in memory.
    static let bytesMax = 2 << 30

    let name: String
    private let bytes: Data

    init(_ name: String, in folder: String) throws(ServedWorldError) {
        self.name = name
        bytes = try Self.contents(name, in: folder)
    }

    static func contents(_ name: String, in folder: String) throws(ServedWorldError) -> Data {
        let url = URL(filePath: "\(folder)/\(name)")
        guard let bytes = try? Data(contentsOf: url, options: .mappedIfSafe) else {
            throw ServedWorldError(description: "\(name) cannot be read")
        }
        guard bytes.count <= bytesMax else {
            throw ServedWorldError(description: "\(name) is longer than \(bytesMax) bytes")
        }
        return bytes
    }

    /// Calls `body` with each line's value and bytes.
    func forEach(
        _ body: (JSONValue, [UInt8]) throws(ServedWorldError) -> Void
    ) throws(ServedWorldError) {
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            number += 1
            let text = Array(line)
            guard let value = try? JSONValue(parsing: text) else {
                throw ServedWorldError(description: "\(name): line \(number) is not JSON")
            }
            try body(value, text)
        }
    }
}

extension JSONValue {
    /// The payload of a compact JWS, believed without a check of its signature.
    init?(payloadOf jws: String) {
        let parts = jws.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.decodeURL(Array(parts[1])),
            let value = try? JSONValue(parsing: bytes)
        else { return nil }
        self = value
    }
}
