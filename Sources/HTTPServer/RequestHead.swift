/// The head of a request: its request line and fields, read by the rules of RFC 9112 with none of
/// the leniency that it permits.
///
/// Two readers that disagree about where a request ends can be made to see two different requests
/// (request smuggling). So what can be read in two ways is refused.
struct RequestHead: Sendable {
    let method: HTTPMethod
    let target: RequestTarget
    let fields: HTTPFields
    /// The length of the content in bytes, 0 if there is none.
    let contentLength: Int

    /// - Parameter lines: the head's lines without their ends.
    init(lines: [ArraySlice<UInt8>], limits: RequestLimits) throws(Problem) {
        guard let first = lines.first else {
            throw Problem(.malformedRequest, "there is no request line")
        }
        let words = first.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3 else {
            throw Problem(.malformedRequest, "the request line must have three words")
        }
        try Self.checkVersion(words[2])
        method = try Self.method(words[0])
        guard words[1].count <= limits.targetBytesMax else { throw Problem(.targetTooLong) }
        target = try RequestTarget(words[1])
        guard lines.count - 1 <= limits.fieldsMax else {
            throw Problem(.headTooLarge, "more than \(limits.fieldsMax) fields")
        }
        fields = try Self.fields(lines.dropFirst())
        try Self.checkHost(fields)
        try Self.checkExpectation(fields)
        contentLength = try Self.contentLength(fields)
        guard contentLength <= limits.bodyBytesMax else {
            throw Problem(.contentTooLarge, "more than \(limits.bodyBytesMax) bytes")
        }
        guard method.allowsContent || contentLength == 0 else {
            throw Problem(.malformedRequest, "\(method.rawValue) with content")
        }
    }

    // MARK: Request line

    /// The shape first: `GET /a b HTTP/1.1` is malformed, not of an unknown version.
    private static func checkVersion(_ word: ArraySlice<UInt8>) throws(Problem) {
        let text = Array(word)
        guard text.count == 8, text.starts(with: "HTTP/".utf8), text[5].isASCIIDigit,
            text[6] == UInt8(ascii: "."), text[7].isASCIIDigit
        else { throw Problem(.malformedRequest, "the request line does not end with a version") }
        guard text[5] == UInt8(ascii: "1"), text[7] <= UInt8(ascii: "1") else {
            throw Problem(.versionNotSupported)
        }
    }

    private static func method(_ word: ArraySlice<UInt8>) throws(Problem) -> HTTPMethod {
        guard !word.isEmpty, word.allSatisfy(\.isTokenCharacter) else {
            throw Problem(.malformedRequest, "the request line does not begin with a method")
        }
        guard let method = HTTPMethod(rawValue: String(decoding: word, as: UTF8.self)) else {
            throw Problem(.methodNotImplemented)
        }
        return method
    }

    // MARK: Fields

    private static func fields(_ lines: ArraySlice<ArraySlice<UInt8>>) throws(Problem)
        -> HTTPFields
    {
        var fields = HTTPFields()
        for line in lines {
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            // White space before the colon, and a line that continues another, fail here.
            guard name.count < line.count, !name.isEmpty, name.allSatisfy(\.isTokenCharacter)
            else { throw Problem(.malformedRequest, "a header line does not begin with a name") }
            let value = trimmed(line.dropFirst(name.count + 1))
            guard let text = String(validating: value, as: UTF8.self) else {
                throw Problem(.malformedRequest, "a header value is no UTF-8")
            }
            fields.append(String(decoding: name, as: UTF8.self), text)
        }
        return fields
    }

    private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 9 }
        let end = value.lastIndex { !isSpace($0) }
        return end.map { value[...$0].drop(while: isSpace) } ?? []
    }

    /// Exactly one, also in HTTP/1.0, since every client of this day sends it: RFC 9112, section
    /// 3.2.
    private static func checkHost(_ fields: HTTPFields) throws(Problem) {
        let hosts = fields.values("Host")
        guard hosts.count == 1, let host = hosts.first, !host.isEmpty else {
            throw Problem(.malformedRequest, "there must be one Host")
        }
        let isAllowed = { (byte: UInt8) in
            byte.isASCIILetter || byte.isASCIIDigit || "-._~!$&'()*+,;=:[]%".utf8.contains(byte)
        }
        guard host.utf8.allSatisfy(isAllowed) else {
            throw Problem(.malformedRequest, "Host holds a character that it may not")
        }
    }

    private static func checkExpectation(_ fields: HTTPFields) throws(Problem) {
        for value in fields.values("Expect") where !value.equalsIgnoringASCIICase("100-continue") {
            throw Problem(.expectationFailed)
        }
    }

    /// `Transfer-Encoding` is never accepted: a server may ask for a length instead (RFC 9110,
    /// section 15.5.12), proxies that buffer send one, and so there is no second way to end a
    /// content, and no chunk to disagree about.
    private static func contentLength(_ fields: HTTPFields) throws(Problem) -> Int {
        let lengths = fields.values("Content-Length")
        let codings = fields.values("Transfer-Encoding")
        guard codings.isEmpty || lengths.isEmpty else {
            throw Problem(.malformedRequest, "both Content-Length and Transfer-Encoding")
        }
        if let coding = codings.first {
            let isChunked = codings.count == 1 && coding.equalsIgnoringASCIICase("chunked")
            throw Problem(isChunked ? .lengthRequired : .codingNotImplemented)
        }
        guard let text = lengths.first else { return 0 }
        // 18 digits fit into Int64; no sign, no list, no white space.
        guard lengths.count == 1, (1...18).contains(text.utf8.count),
            text.utf8.allSatisfy(\.isASCIIDigit), let length = Int(text)
        else { throw Problem(.malformedRequest, "Content-Length is no length") }
        return length
    }
}
