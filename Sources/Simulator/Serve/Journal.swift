internal import Glibc

/// A file that only grows, line by line.
final class Journal: Sendable {
    private let descriptor: Int32
    private let name: String

    /// Opens or makes the file.
    /// - Parameter name: below `folder`, with one folder at most, which is made.
    init(_ name: String, in folder: String) throws(OutputError) {
        let path = "\(folder)/\(name)"
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard mkdir(parent, 0o755) == 0 || errno == EEXIST else {
            throw OutputError(description: "\(name): \(String(cString: strerror(errno)))")
        }
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw OutputError(description: "\(name): \(String(cString: strerror(errno)))")
        }
        self.name = name
    }

    deinit { close(descriptor) }

    /// Appends a line in one write, so that lines of two threads never mix.
    func append(_ line: [UInt8]) throws(OutputError) {
        let bytes = line + [UInt8(ascii: "\n")]
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw OutputError(description: "\(name): \(String(cString: strerror(errno)))")
        }
    }
}
