import Simulator
import TestKit
import Testing

@Suite("What inspect needs", .fewAtOnce)
struct InspectMemoryTests {
    private static let bytesMax = 10_000_000
    private static let kibibytesMax = 200 * 1024

    /// An input and how it is made.
    struct Nasty: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let make: @Sendable () -> [UInt8]
    }

    private static func filled(_ head: String, _ piece: String, _ tail: String) -> [UInt8] {
        let piece = Array(piece.utf8)
        let count = (bytesMax - head.utf8.count - tail.utf8.count) / piece.count
        return Array(head.utf8) + Array(repeatElement(piece, count: count).joined())
            + Array(tail.utf8)
    }

    /// A JWS of the right form that nobody signed.
    private static func jws(_ payload: String) -> String {
        let header = #"{"alg":"ES256","x5c":["a","b","c"]}"#
        let text = [header, payload].map { base64URL(Array($0.utf8)) }
        return text.joined(separator: ".") + "." + String(repeating: "A", count: 86)
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var result: [UInt8] = []
        var (bits, count) = (0, 0)
        for byte in bytes {
            (bits, count) = ((bits << 8 | Int(byte)) & 0xFFFF, count + 8)
            while count >= 6 {
                count -= 6
                result.append(letters[bits >> count & 63])
            }
        }
        if count > 0 { result.append(letters[bits << (6 - count) & 63]) }
        return result.text
    }

    private static let manyValues =
        #"{"transactionId":"1","x":["# + String(repeating: "0,", count: 3_500) + "0]}"
    private static let line =
        #"{"transaction_id":"1","product_id":"a","purchase_date_ms":"1594755400000"},"#

    static let inputs = [
        Nasty(testDescription: "nested arrays") { filled("", "[", "") },
        Nasty(testDescription: "a list of numbers") { filled("[", "0,", "0]") },
        Nasty(testDescription: "objects of one member") { filled("[", #"{"a":0},"#, "0]") },
        Nasty(testDescription: "members of one name") { filled("{", #""a":0,"#, #""a":0}"#) },
        Nasty(testDescription: "many signed texts with many values each") {
            filled(#"{"signedTransactions":["#, #""\#(jws(manyValues))","#, #""]}"#)
        },
        Nasty(testDescription: "many lines of an answer") {
            filled(#"{"status":0,"latest_receipt_info":["#, line, "{}]}")
        },
        Nasty(testDescription: "an encoding of octets one by one") {
            let head: [UInt8] = [
                0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0,
                0x80, 0x30, 0x80, 0x02, 0x01, 0x01, 0x31, 0x00, 0x30, 0x80, 0x06, 0x09, 0x2A, 0x86,
                0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01, 0xA0, 0x80, 0x24, 0x80,
            ]
            return head + Array(repeatElement([0x04, 0x01, 0x61], count: 3_000_000).joined())
        },
        Nasty(testDescription: "a receipt with 20,000 purchases") {
            TestApple.receipt((0..<20_000).map { "2000000000\($0)" })
        },
    ]

    @Test("never more than 200 MB, whatever up to 10 MB it reads", arguments: inputs)
    func memory(input: Nasty) throws {
        let bytes = input.make()
        #expect(bytes.count <= Self.bytesMax)
        let folder = try TemporaryFolder()
        let file = try folder.file("input", bytes)
        for option in Effort.isFull ? ["--json", "--explain"] : ["--json"] {
            let output = try Program(name: "quittance").runInShell(
                """
                env time -f %M "$program" inspect \(option) '\(file)' 2>&1 >/dev/null | tail -n 2
                """)
            let lines = output.text.split(separator: "\n")
            // Refused or unsigned: it ran to its end.
            #expect(lines.first == "Command exited with non-zero status 4")
            let used = try #require(lines.last.flatMap { Int($0) }, "\(output.text)")
            #expect(used < Self.kibibytesMax, "\(used / 1024) MiB with \(option)")
        }
    }
}
