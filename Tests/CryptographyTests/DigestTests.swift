import Cryptography
import Testing

@Suite struct DigestTests {
    @Test(
        "the vectors of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func vectors(message: String, digest: String) {
        #expect(Hexadecimal.encode(SHA256.hash(Array(message.utf8))) == digest)
    }

    @Test("by pieces, and from a copy taken in the middle, the digest is the same")
    func pieces() {
        let message = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
        for cut in 0...message.count {
            var first = SHA256()
            first.update(Array(message[..<cut]))
            var second = first
            first.update(Array("other".utf8))
            second.update(Array(message[cut...]))
            #expect(second.digest() == SHA256.hash(message))
            #expect(first.digest() == SHA256.hash(message[..<cut] + Array("other".utf8)))
        }
    }

    @Test("the first vector of RFC 4231")
    func hmac() {
        let code = HMAC.sha256(key: [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8))
        #expect(
            Hexadecimal.encode(code)
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    }

    @Test("hexadecimal digits of either case, and nothing else")
    func hexadecimal() {
        #expect(Hexadecimal.encode([0, 0x0F, 0xAB, 0xFF]) == "000fabff")
        #expect(Hexadecimal.decode("000fABff") == [0, 0x0F, 0xAB, 0xFF])
        #expect(Hexadecimal.decode("") == [])
        #expect(Hexadecimal.decode("0") == nil)
        #expect(Hexadecimal.decode("0g") == nil)
        #expect(Hexadecimal.decode("é") == nil)
    }
}
