extension HTTPResponse {
    /// The whole answer as it goes over the wire, for connections that libmicrohttpd never sees.
    func serialized(secondsSince1970: Int) -> [UInt8] {
        var fields = fields
        fields.append("Content-Length", String(body.count))
        fields.append("Connection", "close")
        fields.append("Date", HTTPDate.text(secondsSince1970: secondsSince1970))
        // The reason phrase may be empty (RFC 9112, section 4), the space before it may not.
        let lines = ["HTTP/1.1 \(status) "] + fields.lines.map { "\($0.name): \($0.value)" }
        return lines.flatMap { Array($0.utf8) + [13, 10] } + [13, 10] + body
    }
}
