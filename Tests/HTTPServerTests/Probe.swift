import Testing

/// The probes of request framing that every server is asked, and what ours says.
struct Probe: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// The codes of the answers, after which the connection is closed.
    let statuses: [Int]

    var testDescription: String { name }

    init(_ name: String, _ statuses: [Int], _ text: String) {
        self.name = name
        self.statuses = statuses
        bytes = Array(text.utf8)
    }

    private static let post = "POST /a HTTP/1.1\r\nHost: x\r\n"
    private static let get = "GET /a HTTP/1.1\r\nHost: x\r\n"
    private static let evil = "GET /evil HTTP/1.1\r\nHost: x\r\n\r\n"

    static let all = plain + codings + lengths + characters + lines + sizes

    private static let plain = [
        Probe("plain GET", [200], get + "\r\n"),
        // The first is answered, and the connection closed: one request a connection.
        Probe("pipelined 2 GETs", [200], get + "\r\n" + evil),
        Probe("method PURGE", [501], "PURGE /a HTTP/1.1\r\nHost: x\r\n\r\n"),
        Probe("method PATCH", [200], "PATCH /a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"),
        Probe("HTTP/1.2", [505], "GET /a HTTP/1.2\r\nHost: x\r\n\r\n"),
        Probe("HTTP/2.0", [505], "GET /a HTTP/2.0\r\nHost: x\r\n\r\n"),
    ]

    private static let codings = [
        Probe(
            "TE+CL smuggle", [400],
            post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + evil),
        Probe("TE: xchunked", [501], post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        Probe(
            "TE : chunked (space before colon)", [400],
            post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + evil),
        Probe("TE gzip, chunked", [501], post + "Transfer-Encoding: gzip, chunked\r\n\r\n"),
        Probe(
            "TE twice", [501],
            post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Probe("chunked", [411], post + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Probe(
            "chunk ext LF", [411],
            post + "Transfer-Encoding: chunked\r\n\r\n2;\nxx\r\n0\r\n\r\n"),
        Probe(
            "chunk size 0x5", [411],
            post + "Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n"),
        Probe(
            "chunk size -1", [411],
            post + "Transfer-Encoding: chunked\r\n\r\n-1\r\nhello\r\n0\r\n\r\n"),
    ]

    private static let lengths =
        [
            ("CL +5", "Content-Length: +5"), ("CL -1", "Content-Length: -1"),
            ("CL 5abc", "Content-Length: 5abc"), ("CL empty", "Content-Length:"),
            ("CL list", "Content-Length: 5, 5"), ("CL hexadecimal", "Content-Length: 0x5"),
            ("CL beyond 64 bits", "Content-Length: 18446744073709551621"),
            ("two CL differ", "Content-Length: 0\r\nContent-Length: 5"),
            ("two CL alike", "Content-Length: 5\r\nContent-Length: 5"),
        ].map { Probe($0, [400], post + $1 + "\r\n\r\nhello") } + [
            Probe("GET with body", [400], get + "Content-Length: 5\r\n\r\nhello"),
            Probe("Expect something", [417], post + "Expect: more\r\nContent-Length: 0\r\n\r\n"),
        ]

    private static let characters = [
        Probe("NUL in header", [400], get + "X: a\0b\r\n\r\n"),
        Probe("CR in header value", [400], get + "X: a\rb\r\n\r\n"),
        Probe("ctl in target", [400], "GET /a\u{1}b HTTP/1.1\r\nHost: x\r\n\r\n"),
        Probe("%00 in path", [400], "GET /a%00b HTTP/1.1\r\nHost: x\r\n\r\n"),
        Probe("%zz in path", [400], "GET /a%zz HTTP/1.1\r\nHost: x\r\n\r\n"),
        Probe("broken UTF-8 in path", [400], "GET /a%C3 HTTP/1.1\r\nHost: x\r\n\r\n"),
        Probe("absolute target", [400], "GET http://x/a HTTP/1.1\r\nHost: x\r\n\r\n"),
        Probe("space in target", [400], "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n"),
        Probe("TLS instead of HTTP", [400], "\u{16}\u{3}\u{1}\u{2}\0\u{1}"),
    ]

    private static let lines = [
        Probe("bare LF lines", [400], "GET /a HTTP/1.1\nHost: x\n\n"),
        Probe("bare LF after a header", [400], get + "X: a\n\r\n"),
        Probe("obs-fold header", [400], get + "X: a\r\n b\r\n\r\n"),
        Probe("no Host", [400], "GET /a HTTP/1.1\r\n\r\n"),
        Probe("two Hosts", [400], "GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        Probe("Host with a path", [400], "GET /a HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Probe("no version", [400], "GET /a\r\nHost: x\r\n\r\n"),
        Probe("an empty line first", [400], "\r\n" + get + "\r\n"),
        Probe("header without a colon", [400], get + "X\r\n\r\n"),
        Probe("header without a name", [400], get + ": a\r\n\r\n"),
    ]

    private static let sizes = [
        Probe("100k header", [431], get + "X: " + repeated("a", 100_000) + "\r\n\r\n"),
        Probe(
            "5000 headers", [431],
            get + (0..<5000).map { "X\($0): a\r\n" }.joined() + "\r\n"),
        Probe("101 headers", [431], get + repeated("X: a\r\n", 100) + "\r\n"),
        Probe(
            "100k target", [414],
            "GET /" + repeated("a", 100_000) + " HTTP/1.1\r\nHost: x\r\n\r\n"),
        Probe(
            "9k target", [414], "GET /" + repeated("a", 9000) + " HTTP/1.1\r\nHost: x\r\n\r\n"),
        Probe("CL too large", [413], post + "Content-Length: 16777217\r\n\r\nhello"),
    ]
}

func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
