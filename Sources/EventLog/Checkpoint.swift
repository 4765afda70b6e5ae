internal import Cryptography

/// The text of a checkpoint (C2SP tlog-checkpoint): what a log commits itself to.
///
/// Three lines: the origin, the size in decimal digits, the root in base64. One more says the
/// epoch. Nothing is signed here.
public struct Checkpoint: Sendable, Equatable {
    private static let epochPrefix = "epoch "
    private static let bytesMax = 65_536

    /// Which log: unique, without white space and `+`.
    public let origin: String
    /// How many events the tree covers.
    public let size: Int64
    /// The root of the tree: 32 bytes.
    public let root: [UInt8]
    /// Positions of two epochs are not the same events; `nil` if the text does not say.
    public let epoch: Int64?

    /// What a log commits itself to where its head stands.
    public init(_ head: LogHead) {
        origin = "quittance/\(head.logId)"
        size = head.treeSize
        root = head.root
        epoch = head.epoch
    }

    /// From a text, or from a signed note, whose signatures are not looked at. `nil` if it is none.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        // An empty line stands before the signatures, or after the last line end.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { !$0.isEmpty }
        guard text.hasSuffix("\n"), lines.count >= 3, let size = Self.number(lines[1]),
            let root = Base64.decode(Array(lines[2].utf8)), root.count == SHA256.byteCount
        else { return nil }
        origin = String(lines[0])
        self.size = size
        self.root = root
        epoch = lines.dropFirst(3).first { $0.hasPrefix(Self.epochPrefix) }
            .flatMap { Self.number($0.dropFirst(Self.epochPrefix.count)) }
    }

    /// Decimal digits without a leading zero.
    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }),
            text == "0" || !text.hasPrefix("0")
        else { return nil }
        return Int64(text)
    }

    /// The text; it ends with a line end.
    public var text: String {
        var lines = [origin, String(size), String(decoding: Base64.encode(root), as: UTF8.self)]
        if let epoch { lines.append(Self.epochPrefix + String(epoch)) }
        return lines.joined(separator: "\n") + "\n"
    }
}
