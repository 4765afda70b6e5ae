import EventLog
import Intake
import JSON
import Simulator
import TestKit
import Testing

/// A thing that is no event, and why it is refused.
struct BadInput: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let reason: String
    /// A part of the words that explain it.
    let words: String

    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ reason: String, _ words: String = "") {
        self.name = name
        self.bytes = bytes
        self.reason = reason
        self.words = words
    }

    init(_ name: String, _ text: String, _ reason: String, _ words: String = "") {
        self.init(name, Array(text.utf8), reason, words)
    }
}

@Suite("Bad input", .fewAtOnce)
struct BadInputTests {
    private static let good = EventText(
        "order.cancelled", ["bundleId": "b", "orderNumber": "A-1"])

    static let texts: [BadInput] = [
        BadInput("truncated", String(good.text.dropLast(9)), "malformed", "ends too early at byte"),
        BadInput("binary", [0x30, 0x82, 0, 255, 10, 1, 2, 0xFE], "unknown-kind", "binary data"),
        BadInput("plain text", "hello, world", "unknown-kind", "plain text"),
        BadInput(
            "deeply nested",
            good.with("x", 1).text.replacing(
                #""x":1"#,
                with: #""x":"# + String(repeating: "[", count: 70)
                    + String(repeating: "]", count: 70)), "malformed", "nested deeper"),
        BadInput(
            "nested 100,000 deep", String(repeating: "[", count: 100_000), "malformed",
            "nested deeper"),
        BadInput(
            "a name twice", good.text.replacing(#""id""#, with: #""id":"0","id""#), "malformed",
            "stands twice"),
        BadInput(
            "a bare U+0000", Array(good.text.replacing("A-1", with: "A\0").utf8), "malformed",
            "control character"),
        BadInput(
            "not UTF-8",
            Array(good.text.replacing("A-1", with: "#").utf8).map { $0 == 35 ? 0xFF : $0 },
            "malformed", "not UTF-8"),
        BadInput("JSON of no kind", #"{"a":1}"#, "unknown-kind", "a JSON object of no known kind"),
        BadInput("an empty array", "[]", "unknown-kind", "not of CloudEvents"),
        BadInput("an array of other things", "[1]", "unknown-kind", "not of CloudEvents"),
        BadInput(
            "a notification V1", #"{"notification_type":"CANCEL","password":"x"}"#, "unsigned",
            "notification V1"),
        BadInput("an answer of verifyReceipt", #"{"status":21002}"#, "unsigned", "verifyReceipt"),
    ]

    static let signed: [BadInput] = {
        let payload = TestApple.signer.transactionPayload(
            .init(transactionId: "7", productId: "p", purchaseDate: TestApple.noon))
        func jws(_ change: @escaping (inout SigningOptions) -> Void) -> [UInt8] {
            TestApple.chain.sign(payload: payload, options: SigningOptions(change))
        }
        let whole = jws { _ in }
        let (leaf, middle, root) = (
            TestApple.chain.leafDER, TestApple.chain.intermediateDER, TestApple.chain.rootDER
        )
        let parts = whole.split(separator: UInt8(ascii: "."))
        return [
            BadInput("two parts", Array(parts[0] + [46] + parts[1]), "malformed"),
            BadInput("four parts", whole + Array(".AAAA".utf8), "malformed"),
            BadInput("no certificate", jws { $0.certificates = [] }, "malformed"),
            BadInput("one certificate", jws { $0.certificates = [leaf] }, "malformed"),
            BadInput("two certificates", jws { $0.certificates = [leaf, middle] }, "malformed"),
            BadInput(
                "four certificates", jws { $0.certificates = [leaf, middle, root, root] },
                "malformed"),
            BadInput("alg none", jws { $0.algorithm = "none" }, "bad-algorithm"),
            BadInput("alg HS256", jws { $0.algorithm = "HS256" }, "bad-algorithm"),
            BadInput("alg ES384", jws { $0.algorithm = "ES384" }, "bad-algorithm"),
            BadInput("r is zero", jws { $0.signatureFlaw = .zeroR }, "bad-signature"),
            BadInput("s is zero", jws { $0.signatureFlaw = .zeroS }, "bad-signature"),
            BadInput("63 bytes of signature", jws { $0.signatureFlaw = .short }, "malformed"),
            BadInput("65 bytes of signature", jws { $0.signatureFlaw = .long }, "malformed"),
        ]
    }()

    @Test("is refused in one line with its reason, and kept to the byte", arguments: texts + signed)
    func refused(input: BadInput) async throws {
        let bringing = try await Import()
        let counts = try await bringing.take(input.bytes)
        #expect(counts.refused == 1 && counts.appended == 0)
        let problem = try #require(bringing.problemTexts.first)
        #expect(problem.hasPrefix("1: \(input.reason): "))
        #expect(problem.contains(input.words) && !problem.contains("\n"))
        #expect(try await bringing.quarantined() == [input.bytes])
        #expect(try await bringing.events().isEmpty)
        let told = try await bringing.fresh.log.read(after: 0, limit: 10)
        #expect(told.map(\.type) == ["evidence.refused"])
    }

    @Test("signed material that is bad does not keep a device's event out", arguments: signed)
    func inAnEvent(input: BadInput) async throws {
        let bringing = try await Import()
        let text = EventText(
            "storekit.purchased", source: "device",
            ["bundleId": "b", "productId": "p", "signedTransaction": input.bytes.text])
        let counts = try await bringing.take(text.bytes)
        #expect(counts.appended == 1 && counts.refusedParts == 1)
        #expect(bringing.problemTexts == ["1: part data.signedTransaction \(input.reason) 1"])
        let event = try #require(try await bringing.events().first)
        #expect(try await bringing.fresh.log.received(event) == text.bytes)
    }

    @Test("in the midst of a file stops nothing")
    func midst() async throws {
        let bringing = try await Import()
        let inputs = (Self.texts + Self.signed).filter {
            !$0.bytes.contains(10) && $0.name != "nested 100,000 deep"
        }
        var lines: [[UInt8]] = []
        for (number, input) in inputs.enumerated() {
            var event = Self.good
            event.id = "\(number)"
            lines += [event.bytes, input.bytes]
        }
        let counts = try await bringing.take(lines: lines)
        #expect(counts.appended == inputs.count && counts.refused == inputs.count)
        #expect(bringing.problems.map(\.place.line) == inputs.indices.map { 2 * $0 + 2 })
        #expect(try await bringing.events().map(\.id) == inputs.indices.map { "\($0)" })
        #expect(Set(try await bringing.quarantined()) == Set(inputs.map(\.bytes)))
    }

    @Test("nothing at all is told as such")
    func empty() async throws {
        let bringing = try await Import()
        #expect(try await bringing.take([]).refused == 1)
        #expect(bringing.problemTexts == ["1: malformed: the file is empty"])
    }

    @Test("a line beyond the limit is said not to be kept, and the next one is taken")
    func tooLarge() async throws {
        let bringing = try await Import()
        let size = Effort.isFull ? 100_000_000 : InputReader.itemBytesMax
        var long = Self.good.with("x", "#").bytes
        let place = try #require(long.firstIndex(of: UInt8(ascii: "#")))
        long.insert(contentsOf: [UInt8](repeating: 120, count: size), at: place)
        var next = Self.good
        next.id = "2"
        let counts = try await bringing.take(lines: [Self.good.bytes, long, next.bytes])
        #expect(counts.appended == 2 && counts.refused == 1)
        #expect(
            bringing.problemTexts == [
                "2: too-large: longer than \(InputReader.itemBytesMax) bytes; it was not kept"
            ])
    }

    @Test("more personal values than the log takes are refused, and the next line is taken")
    func tooManyValues() async throws {
        let bringing = try await Import()
        var many = EventText("storekit.of-tomorrow", id: "many")
        many.data = (0...EventLimits.personalMax).map { JSONMember("m\($0)", 1.json) }
        let counts = try await bringing.take(lines: [many.bytes, Self.good.bytes])
        #expect(counts.appended == 1 && counts.refused == 1)
        #expect(bringing.problemTexts.first?.hasPrefix("1: too-large: ") == true)
        #expect(try await bringing.quarantined() == [many.bytes])
    }
}
