/// Finds the head of a request in the bytes that a connection brought, and refuses what is
/// doubtful.
///
/// libmicrohttpd is lenient where RFC 9112 permits it, and in places where it does not: it takes
/// bare line feeds, continued lines, NUL in values, two hosts and spaces before a colon. It shows
/// its callers only what it made of them, so the guard reads the raw bytes first.
struct FramingGuard: Sendable {
    /// What the bytes are, so far.
    enum Finding: Sendable {
        /// Nothing wrong yet, and no end.
        case incomplete
        /// A whole head.
        case head(RequestHead)
        /// To be answered with the problem and nothing else.
        case refused(Problem)
    }

    let limits: RequestLimits

    /// - Parameter bytes: from the first that the connection brought; at most
    ///   `limits.headBytesMax` are looked at.
    func examine(_ bytes: [UInt8]) -> Finding {
        do throws(Problem) {
            guard let lines = try lines(of: bytes.prefix(limits.headBytesMax)) else {
                return .incomplete
            }
            return .head(try RequestHead(lines: lines, limits: limits))
        } catch {
            return .refused(error)
        }
    }

    /// The lines before the empty one; `nil` if it has not arrived.
    private func lines(of bytes: ArraySlice<UInt8>) throws(Problem) -> [ArraySlice<UInt8>]? {
        var lines: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        var index = start
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\r") {
                guard index < bytes.endIndex else { break }
                guard bytes[index] == UInt8(ascii: "\n") else {
                    throw Problem(.malformedRequest, "a carriage return ends no line")
                }
                let line = bytes[start..<index - 1]
                index += 1
                start = index
                if line.isEmpty { return lines }
                lines.append(line)
            } else if byte < 0x20 && byte != 9 || byte == 0x7F {
                throw Problem(
                    .malformedRequest,
                    byte == UInt8(ascii: "\n")
                        ? "a line ends without a carriage return" : "a control character")
            }
        }
        guard bytes.count < limits.headBytesMax else {
            throw Problem(lines.isEmpty ? .targetTooLong : .headTooLarge)
        }
        return nil
    }
}
