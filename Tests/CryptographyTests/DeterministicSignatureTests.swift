import Cryptography
import Testing

/// RFC 6979, appendix A.2.5.
@Suite struct DeterministicSignatureTests {
    static let scalar = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"

    @Test(
        "the vectors of RFC 6979 for P-256 and SHA-256",
        arguments: [
            (
                "sample",
                "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
                "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
            ),
            (
                "test",
                "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
                "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
            ),
        ])
    func vectors(message: String, r: String, s: String) throws {
        let scalar = try #require(Hexadecimal.decode(Self.scalar))
        let key = try #require(P256.PrivateKey(scalar: scalar))
        let digest = SHA256.hash(Array(message.utf8))
        let signature = key.signature(digest: digest)
        #expect(Hexadecimal.encode(signature).uppercased() == r + s)

        let publicKey = try #require(P256.PublicKey(x963: key.x963))
        #expect(publicKey.verifies(signature: signature, digest: digest))
        #expect(!publicKey.verifies(signature: signature, digest: SHA256.hash([])))
    }

    @Test("the public point of RFC 6979's key")
    func publicPoint() throws {
        let scalar = try #require(Hexadecimal.decode(Self.scalar))
        let key = try #require(P256.PrivateKey(scalar: scalar))
        #expect(
            Hexadecimal.encode(key.x963).uppercased()
                == "04" + "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
                + "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")
    }

    @Test("a scalar of 0, of the order of the curve, or of another length is no key")
    func badScalars() throws {
        let order = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
        #expect(P256.PrivateKey(scalar: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(P256.PrivateKey(scalar: try #require(Hexadecimal.decode(order))) == nil)
        #expect(P256.PrivateKey(scalar: [1]) == nil)
    }

    @Test("a point off the curve is no public key")
    func pointOffTheCurve() {
        #expect(P256.PublicKey(x963: [4] + [UInt8](repeating: 1, count: 64)) == nil)
    }
}
