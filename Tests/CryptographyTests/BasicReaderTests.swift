import Cryptography
import Testing

@Suite("ASN.1 in its basic encoding")
struct BasicReaderTests {
    private func octets(_ bytes: [UInt8]) throws -> [UInt8] {
        var reader = BasicReader(bytes)
        let element = try reader.only()
        return Array(try reader.octets(element))
    }

    @Test(
        "a string is the same, whole or in pieces, of definite length or not",
        arguments: [
            [0x04, 0x03, 1, 2, 3], [0x04, 0x81, 0x03, 1, 2, 3], [0x04, 0x84, 0, 0, 0, 3, 1, 2, 3],
            [0x24, 0x07, 0x04, 0x01, 1, 0x04, 0x02, 2, 3],
            [0x24, 0x80, 0x04, 0x01, 1, 0x04, 0x02, 2, 3, 0, 0],
            [0x24, 0x80, 0x24, 0x80, 0x04, 0x02, 1, 2, 0, 0, 0x04, 0x00, 0x04, 0x01, 3, 0, 0],
        ] as [[UInt8]])
    func strings(bytes: [UInt8]) throws {
        #expect(try octets(bytes) == [1, 2, 3])
    }

    @Test("values follow each other, and tell where they stand")
    func sequence() throws {
        let bytes: [UInt8] = [0x30, 0x80, 0x02, 0x01, 5, 0x30, 0x00, 0, 0, 0x05, 0x00]
        var reader = BasicReader(bytes)
        let outer = try #require(try reader.next())
        #expect(outer.identifier == 0x30 && outer.isConstructed)
        #expect(outer.content == 2..<7 && outer.whole == 0..<9)
        var inner = try reader.inside(outer)
        let number = try #require(try inner.next())
        #expect(number.identifier == BasicTag.integer && Array(inner.content(number)) == [5])
        #expect(try inner.next()?.content.isEmpty == true)
        #expect(try inner.next() == nil)
        #expect(try reader.next()?.identifier == 0x05)
        #expect(try reader.next() == nil)
    }

    @Test(
        "what is cut, too long, or no string is malformed",
        arguments: [
            [], [0x04], [0x04, 0x02, 1], [0x04, 0x80, 0, 0], [0x04, 0x01, 1, 0],
            [0x24, 0x80, 0x04, 0x01, 1],
            [0x24, 0x80, 0x04, 0x01, 1, 0], [0x24, 0x80], [0x04, 0x85, 0, 0, 0, 0, 1, 1],
            [0x04, 0x84, 0x7F],
            [0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x1F, 0x81, 0x01, 0x00], [0x02, 0x01, 1],
            [0x24, 0x03, 0x02, 0x01, 1], [0x24, 0x02, 0x04, 0x01],
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        #expect(throws: BasicReader.Failure.malformed) { try octets(bytes) }
    }

    @Test("nesting is bounded, in both forms of length")
    func depth() throws {
        func definite(_ depth: Int) -> [UInt8] {
            (0..<depth).reduce([0x04, 0x00]) { inner, _ in
                [0x24, 0x82, UInt8(inner.count >> 8), UInt8(inner.count & 0xFF)] + inner
            }
        }
        func indefinite(_ depth: Int) -> [UInt8] {
            (0..<depth).reduce([0x04, 0x00]) { inner, _ in [0x24, 0x80] + inner + [0, 0] }
        }
        #expect(try octets(definite(64)).isEmpty)
        #expect(throws: BasicReader.Failure.tooDeep) { try octets(definite(65)) }
        #expect(try octets(indefinite(64)).isEmpty)
        #expect(throws: BasicReader.Failure.tooDeep) { try octets(indefinite(65)) }
        #expect(throws: BasicReader.Failure.tooDeep) { try octets(indefinite(100_000)) }
    }
}
