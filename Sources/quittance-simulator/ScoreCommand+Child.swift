internal import Glibc

/// Why a program did not answer.
struct ChildFailure: Error, CustomStringConvertible {
    let description: String
}

/// A program that runs beside this one; its standard output is read, its messages go where ours do.
struct ChildProgram {
    /// What it prints.
    let lines: LineReader
    private let process: pid_t
    private let name: String

    /// Starts it, found on the path unless the name has a `/`.
    init(_ name: String, _ arguments: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ChildFailure(description: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var texts = ([name] + arguments).map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        var process: pid_t = 0
        let status = posix_spawnp(&process, name, &actions, nil, &texts, environ)
        close(ends[1])
        guard status == 0 else {
            close(ends[0])
            throw ChildFailure(description: "\(name): \(String(cString: strerror(status)))")
        }
        self.process = process
        self.name = name
        lines = LineReader(descriptor: ends[0])
    }

    /// Waits for its end.
    /// - Throws: `ChildFailure` unless it ended with one of `allowed`.
    func finish(allowed: Set<Int32>) throws {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw ChildFailure(description: "\(name) is lost") }
        }
        let isExit = status & 0x7F == 0
        let code = status >> 8 & 0xFF
        guard isExit, allowed.contains(code) else {
            throw ChildFailure(
                description: isExit ? "\(name) ended with status \(code)" : "\(name) was killed")
        }
    }
}

/// The lines of a file or a pipe, in bounded memory.
final class LineReader {
    /// Longest line, in bytes.
    private static let lineBytesMax = 64 << 20

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    init(path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ChildFailure(description: "\(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Every line that is not empty, without its end.
    func forEach(_ body: ([UInt8]) throws -> Void) throws {
        while let line = try next() {
            if !line.isEmpty { try body(line) }
        }
    }

    private func next() throws -> [UInt8]? {
        var searched = 0
        while true {
            if let end = buffer[(start + searched)...].firstIndex(of: 10) {
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            if isAtEnd {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                return Array(buffer[start...])
            }
            searched = buffer.count - start
            guard searched <= Self.lineBytesMax else {
                throw ChildFailure(description: "a line is longer than \(Self.lineBytesMax) bytes")
            }
            try fill()
        }
    }

    private func fill() throws {
        buffer.removeFirst(start)
        start = 0
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        let count = read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { return }
        guard count >= 0 else {
            throw ChildFailure(description: String(cString: strerror(errno)))
        }
        if count == 0 { isAtEnd = true }
        buffer += chunk[..<count]
    }
}
