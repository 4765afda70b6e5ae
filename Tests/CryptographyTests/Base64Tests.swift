import Cryptography
import Testing

@Suite struct Base64Tests {
    @Test(
        "the vectors of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, text: String) {
        let plain = Array(plain.utf8)
        #expect(Base64.encode(plain) == Array(text.utf8))
        #expect(Base64.decode(Array(text.utf8)) == plain)
        let unpadded = Array(text.utf8.filter { $0 != UInt8(ascii: "=") })
        #expect(Base64.encodeURL(plain) == unpadded)
        #expect(Base64.decodeURL(unpadded) == plain)
    }

    @Test("every byte at every place comes back")
    func everyByte() {
        for length in 1...4 {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var plain = [UInt8](repeating: 0xFB, count: length)
                    plain[place] = byte
                    #expect(Base64.decode(Base64.encode(plain)) == plain)
                    #expect(Base64.decodeURL(Base64.encodeURL(plain)) == plain)
                }
            }
        }
    }

    @Test("the two alphabets are not mixed")
    func alphabets() {
        #expect(Base64.encode([0xFB, 0xFF, 0xFE]) == Array("+//+".utf8))
        #expect(Base64.encodeURL([0xFB, 0xFF, 0xFE]) == Array("-__-".utf8))
        #expect(Base64.decode(Array("-__-".utf8)) == nil)
        #expect(Base64.decodeURL(Array("+//+".utf8)) == nil)
    }

    @Test(
        "what another text already says is refused",
        arguments: ["Zg", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm9v\n", " Zm9v", "Zm=v"])
    func refused(text: String) {
        #expect(Base64.decode(Array(text.utf8)) == nil)
    }

    @Test(
        "padding, spare bits and a lone digit are refused in base64url",
        arguments: ["Zg==", "Zh", "Zm9", "Z"])
    func refusedURL(text: String) {
        #expect(Base64.decodeURL(Array(text.utf8)) == nil)
    }
}

@Suite("Base64 as clients send it")
struct LenientBase64Tests {
    @Test(
        "white space, either alphabet and missing padding are forgiven",
        arguments: [
            "+/8=", "-_8=", "+_8", " +\r\n/\t8 =\n", "+/8",
        ])
    func forgiven(text: String) {
        #expect(Base64.decodeLeniently(Array(text.utf8)) == [0xFB, 0xFF])
    }

    @Test("anything else is not", arguments: ["+/8!", "+/8===", "=+/8", "+/9=", "+", "+/=8", "é"])
    func refused(text: String) {
        #expect(Base64.decodeLeniently(Array(text.utf8)) == nil)
    }

    @Test("encoding and decoding any length agree")
    func roundTrip() {
        for length in 0..<70 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base64.decodeURL(Base64.encodeURL(bytes)) == bytes)
            #expect(Base64.decodeLeniently(Base64.encode(bytes)) == bytes)
        }
    }
}
