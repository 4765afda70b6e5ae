internal import Glibc

/// What is printed: data on standard output, messages on standard error.
enum Terminal {
    /// A line of data.
    static func print(_ line: String) { print(Array(line.utf8)) }

    /// A line of data that is bytes already. Output that cannot be written ends the process: a full
    /// disk must not pass for success.
    static func print(_ line: [UInt8]) {
        guard write(line + [10], to: STDOUT_FILENO) else {
            say("standard output cannot be written: \(String(cString: strerror(errno)))")
            exitProcess(.failed)
        }
    }

    /// Data as it is, with no line end added.
    static func printRaw(_ bytes: [UInt8]) {
        guard write(bytes, to: STDOUT_FILENO) else {
            say("standard output cannot be written: \(String(cString: strerror(errno)))")
            exitProcess(.failed)
        }
    }

    /// A line for the person who runs the command.
    static func say(_ line: String) {
        _ = write(Array("quittance: \(line)\n".utf8), to: STDERR_FILENO)
    }

    /// Writes over the line of the terminal that shows progress; an empty text takes it away.
    static func showProgress(_ text: String) {
        _ = write(Array("\r\u{1B}[K\(text)".utf8), to: STDERR_FILENO)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }
}

/// Ends the process with the code.
func exitProcess(_ code: ExitCode) -> Never {
    exit(code.rawValue)
}

/// The value of an environment variable, if it is set and not empty.
func environmentVariable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
}

/// Milliseconds since 1970 UTC, by the system's clock.
func currentMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
