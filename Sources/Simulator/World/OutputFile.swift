internal import Glibc

/// Why a world's files could not be written.
public struct OutputError: Error, Sendable, CustomStringConvertible {
    /// One line: the file and the system's own words.
    public let description: String
}

/// A file that is written from beginning to end, in pieces.
final class OutputFile {
    private static let bufferMax = 1 << 20

    private let descriptor: Int32
    private let name: String
    private var buffer: [UInt8] = []

    /// Makes the file anew, and the folder that it lies in.
    /// - Parameter name: below `folder`, with `/` between folders, at most one deep.
    init(_ name: String, in folder: String) throws(OutputError) {
        let path = "\(folder)/\(name)"
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        for folder in [folder, parent] where mkdir(folder, 0o755) != 0 && errno != EEXIST {
            throw OutputError(description: "\(name): \(String(cString: strerror(errno)))")
        }
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw OutputError(description: "\(name): \(String(cString: strerror(errno)))")
        }
        self.name = name
        buffer.reserveCapacity(Self.bufferMax)
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws(OutputError) {
        buffer += bytes
        if buffer.count >= Self.bufferMax { try flush() }
    }

    func write(line: [UInt8]) throws(OutputError) {
        buffer += line
        try write([UInt8(ascii: "\n")])
    }

    func write(line: String) throws(OutputError) {
        try write(line: Array(line.utf8))
    }

    /// Hands what is buffered to the system. Must be called last.
    func flush() throws(OutputError) {
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw OutputError(description: "\(name): \(String(cString: strerror(errno)))")
            }
            written += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
