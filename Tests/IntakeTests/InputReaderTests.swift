import Foundation
import Intake
import Testing

@Suite("A file is cut into items")
struct InputReaderTests {
    func items(_ bytes: [UInt8]) throws -> [InputItem] {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var reader = try InputReader(path: file.path())
        var items: [InputItem] = []
        while let item = try reader.next() { items.append(item) }
        return items
    }

    func texts(_ text: String) throws -> [String] {
        try items(Array(text.utf8)).map {
            "\($0.line): \(String(decoding: $0.bytes, as: UTF8.self))"
        }
    }

    @Test("NDJSON gives its lines, with their numbers, blank lines left out")
    func lines() throws {
        #expect(
            try texts("{\"a\":1}\n\n  {\"b\":2}\r\n{\"c\":3}") == [
                "1: {\"a\":1}", "3: {\"b\":2}", "4: {\"c\":3}",
            ])
    }

    @Test("one JSON document over several lines is one item")
    func document() throws {
        #expect(try texts("\n{\n \"a\": 1\n}\n") == ["2: {\n \"a\": 1\n}"])
        #expect(try texts("[\n{},\n{}]\n") == ["1: [\n{},\n{}]"])
    }

    @Test("a truncated line does not swallow the lines after it")
    func truncatedLine() throws {
        #expect(try texts("{\"a\":\n{\"b\":2}\n") == ["1: {\"a\":", "2: {\"b\":2}"])
    }

    @Test("a byte order mark is not part of the first item")
    func byteOrderMark() throws {
        #expect(
            try items([0xEF, 0xBB, 0xBF] + Array("{}".utf8)).map(\.bytes) == [Array("{}".utf8)])
    }

    @Test("binary is one item, not a refusal a line")
    func binary() throws {
        let bytes: [UInt8] = [0x30, 0x82, 10, 1, 2, 10, 3]
        #expect(try items(bytes).map(\.bytes) == [bytes])
    }

    @Test("each JWS of a list is an item")
    func listOfJWS() throws {
        #expect(try texts("eyJh.eyJi.c\neyJh.eyJi.d\n") == ["1: eyJh.eyJi.c", "2: eyJh.eyJi.d"])
    }

    @Test("an empty file has no items")
    func empty() throws {
        #expect(try texts("").isEmpty)
        #expect(try texts(" \n\n").isEmpty)
    }

    @Test("a line that is too long is named and skipped, and the next one is read")
    func tooLong() throws {
        let long =
            [UInt8](repeating: UInt8(ascii: " "), count: 3) + Array("{\"a\":\"".utf8)
            + [UInt8](repeating: UInt8(ascii: "x"), count: InputReader.itemBytesMax)
        let found = try items(Array("{}\n".utf8) + long + Array("\"}\n{\"b\":2}\n".utf8))
        #expect(found.map(\.isTooLarge) == [false, true, false])
        #expect(found.map(\.line) == [1, 2, 3])
        #expect(found.last?.bytes == Array("{\"b\":2}".utf8))
    }

    @Test("a binary file that is too long is one item that is too large")
    func tooLongBinary() throws {
        let found = try items([UInt8](repeating: 1, count: InputReader.itemBytesMax + 2))
        #expect(found.map(\.isTooLarge) == [true])
    }

    @Test("a JSON document over many lines that is too long is one item", arguments: ["[", "{"])
    func tooLongDocument(start: String) throws {
        let line = Array((String(repeating: " ", count: 4_000) + "{},\n").utf8)
        let count = InputReader.itemBytesMax / line.count + 2
        let found = try items(
            Array((start + "\n").utf8) + (0..<count).flatMap { _ in line } + Array("{}]".utf8))
        #expect(found.map(\.isTooLarge) == [true])
        #expect(found.map(\.line) == [1])
    }

    @Test(
        "a JSON document over many lines that is broken is one item, not a refusal a line",
        arguments: ["[\n{},\n{}", "{\n\"a\": 1,", "{\"a\":\n\"b\",\n\"c\"", "[1,\n2,\n"])
    func brokenDocument(text: String) throws {
        let whole = text.hasSuffix("\n") ? String(text.dropLast()) : text
        #expect(try texts(text) == ["1: \(whole)"])
    }

    @Test("a folder and a file that is not there are told in the system's words")
    func unreadable() {
        #expect(throws: InputError.self) { _ = try InputReader(path: "/") }
        #expect(throws: InputError.self) { _ = try InputReader(path: "/nowhere/at/all") }
    }
}
