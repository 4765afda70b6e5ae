import AppStore
import Cryptography
import FoundationEssentials
import Simulator
import Testing

@Suite struct TrustAnchorTests {
    static func pem(_ der: [UInt8]) -> String {
        let text = String(decoding: Base64.encode(der), as: UTF8.self)
        var lines = ["-----BEGIN CERTIFICATE-----"]
        var rest = Substring(text)
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        return (lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
    }

    static func trusts(_ anchors: TrustAnchors, _ chain: MintedChain) -> Bool {
        let reader = EvidenceReader(anchors: anchors, now: { noon2026 })
        return reader.read(jws: World.signed(by: chain)).verdict == "verified"
    }

    @Test("one root in DER, or several in PEM with words around them")
    func forms() throws {
        let (first, second) = (MintedChain(seed: 1), MintedChain(seed: 2))
        let der = try TrustAnchors.none.adding(first.rootDER)
        #expect(Self.trusts(der, first))
        #expect(!Self.trusts(der, second))
        let text = "roots\n" + Self.pem(first.rootDER) + "another\n" + Self.pem(second.rootDER)
        let both = try TrustAnchors.none.adding(bytes(text))
        #expect(Self.trusts(both, first))
        #expect(Self.trusts(both, second))
    }

    @Test("what is no root cannot be trusted")
    func refused() {
        let chain = World.chain
        #expect(throws: TrustAnchorError.notARoot) {
            try TrustAnchors.apple.adding(chain.intermediateDER)
        }
        #expect(throws: TrustAnchorError.noCertificate) { try TrustAnchors.apple.adding([]) }
        #expect(throws: TrustAnchorError.noCertificate) {
            try TrustAnchors.apple.adding(bytes("text"))
        }
        let cut = Self.pem(chain.rootDER) + Self.pem(chain.rootDER).prefix(100)
        #expect(throws: TrustAnchorError.noCertificate) {
            try TrustAnchors.apple.adding(bytes(cut))
        }
        #expect(throws: TrustAnchorError.tooLarge) {
            try TrustAnchors.apple.adding([UInt8](repeating: 0, count: (1 << 20) + 1))
        }
        let many = String(repeating: Self.pem(chain.rootDER), count: 65)
        #expect(throws: TrustAnchorError.tooMany) { try TrustAnchors.apple.adding(bytes(many)) }
    }

    @Test("a file, or the certificates of a folder")
    func paths() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/quittance-\(UUID())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ name: String, _ content: [UInt8]) {
            #expect(
                FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data(content))
            )
        }
        let (first, second) = (MintedChain(seed: 1), MintedChain(seed: 2))
        write("first.der", first.rootDER)
        write("second.pem", bytes(Self.pem(second.rootDER)))
        write("notes.txt", bytes("not a certificate"))
        let one = try TrustAnchors.none.adding(path: "\(folder)/first.der")
        #expect(Self.trusts(one, first))
        let all = try TrustAnchors.none.adding(path: folder)
        #expect(Self.trusts(all, first))
        #expect(Self.trusts(all, second))
        #expect(throws: TrustAnchorError.unreadable) {
            try TrustAnchors.none.adding(path: "\(folder)/absent.der")
        }
    }
}
