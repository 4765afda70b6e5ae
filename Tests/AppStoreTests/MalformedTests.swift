import AppStore
import Cryptography
import JSON
import Simulator
import Testing

@Suite struct MalformedTests {
    static let signed = String(decoding: World.signed(), as: UTF8.self)

    @Test(
        "a text that is no JWS of three parts is malformed",
        arguments: ["", ".", "..", "a.b", "a.b.c", "a.b.c.d", "…", signed + ".", signed + ".AA"])
    func parts(text: String) throws {
        let part = try World.reader().read(jws: bytes(text))
        #expect(part.verdict == "malformed")
        #expect(part.digest == SHA256.hash(bytes(text)))
    }

    @Test("a JWS cut anywhere accuses nobody of forgery")
    func truncated() throws {
        let reader = try World.reader()
        let whole = World.signed()
        for count in stride(from: 0, to: whole.count, by: 7) {
            let reason = reader.read(jws: Array(whole.prefix(count))).verification.reason
            #expect(reason?.speaksOfForgery == false)
        }
    }

    @Test(
        "a payload that is no plain JSON object is malformed",
        arguments: [
            "", "[]", "null", "7", #""text""#, "{", #"{"a":1} x"#,
            #"{"transactionId":"1","transactionId":"2"}"#, "{\"a\":\"\u{1}\"}",
            #"{"a":"# + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}",
        ])
    func payloads(text: String) throws {
        let part = try World.reader().read(jws: World.chain.sign(payload: bytes(text)))
        #expect(part.verdict == "malformed")
    }

    @Test("a payload that is not UTF-8 is malformed")
    func notUTF8() throws {
        let payload = bytes(#"{"a":""#) + [0xFF] + bytes(#""}"#)
        #expect(
            try World.reader().read(jws: World.chain.sign(payload: payload)).verdict == "malformed")
    }

    @Test(
        "a header that is no plain JSON object, or names extensions, is malformed",
        arguments: [
            "[]", "{", #"{"alg":"ES256","alg":"none","x5c":[]}"#, #"{"alg":256,"x5c":[]}"#,
            #"{"alg":"ES256","x5c":"text"}"#, #"{"alg":"ES256","x5c":[1,2,3]}"#,
            #"{"alg":"ES256","crit":["b64"],"b64":false,"x5c":["","",""]}"#,
        ])
    func headers(text: String) throws {
        let jws = World.signed(SigningOptions { $0.header = bytes(text) })
        #expect(try World.reader().read(jws: jws).verdict == "malformed")
    }

    @Test("more than a mebibyte is too large")
    func tooLarge() throws {
        let payload = bytes(#"{"a":""# + String(repeating: "a", count: 1 << 20) + #""}"#)
        let part = try World.reader().read(jws: World.chain.sign(payload: payload))
        #expect(part.verdict == "too-large")
        #expect(part.payload == nil)
    }

    @Test("padding, white space and the other alphabet have no place in a JWS")
    func alphabet() throws {
        let reader = try World.reader()
        let parts = Self.signed.split(separator: ".").map(String.init)
        for index in parts.indices {
            for change in ["=", "==", " ", "\n", "+", "/", "*"] {
                var changed = parts
                changed[index] += change
                let jws = bytes(changed.joined(separator: "."))
                #expect(reader.read(jws: jws).verdict == "malformed")
            }
        }
    }

    /// jjwt#784; app-store-server-library-swift PR#107.
    @Test("a payload whose text holds '-' and '_' is read")
    func urlAlphabet() throws {
        let fields = World.purchase { $0.productId = ">>>>????" }
        let jws = World.signer.transaction(fields)
        let payload = jws.split(separator: UInt8(ascii: "."))[1]
        #expect(payload.contains(UInt8(ascii: "-")))
        #expect(payload.contains(UInt8(ascii: "_")))
        let part = try World.reader().read(jws: jws)
        #expect(part.verdict == "verified")
        #expect(part.payload?["productId"]?.string == ">>>>????")
    }

    @Test("no single changed byte leaves a JWS verified")
    func flippedBytes() throws {
        let reader = try World.reader()
        let whole = World.signed()
        #expect(reader.read(jws: whole).verdict == "verified")
        var generator = SeededGenerator(state: 7)
        for index in whole.indices {
            var changed = whole
            changed[index] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
            #expect(reader.read(jws: changed).verification.status == .refused, "byte \(index)")
        }
    }

    @Test("no other last character of the signature says the same")
    func lastCharacter() throws {
        let reader = try World.reader()
        let whole = World.signed()
        for byte in UInt8.min...UInt8.max where byte != whole.last {
            let changed = whole.dropLast() + [byte]
            #expect(reader.read(jws: Array(changed)).verification.status == .refused)
        }
    }
}

/// SplitMix64: the same numbers for the same state everywhere.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
