internal import Glibc

/// What is printed: data on standard output, messages on standard error.
enum Terminal {
    /// A line of data.
    static func print(_ line: String) {
        write(line + "\n", to: stdout)
    }

    /// Data that is bytes already; a line end is added.
    static func print(_ bytes: [UInt8]) {
        fwrite(bytes, 1, bytes.count, stdout)
        fputc(10, stdout)
    }

    /// A line for the person who runs the command.
    static func say(_ line: String) {
        write("quittance: \(line)\n", to: stderr)
    }

    /// Writes out what is buffered; a full disk must not pass for success.
    static func flush() {
        if fflush(stdout) != 0 {
            write("quittance: standard output could not be written\n", to: stderr)
            exitProcess(.failed)
        }
    }

    private static func write(_ text: String, to stream: UnsafeMutablePointer<FILE>?) {
        fputs(text, stream)
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
