internal import Glibc

/// Options of the form `--name VALUE`, each at most once.
struct Options {
    private var values: [String: String] = [:]

    /// - Throws: `UsageError` for anything that is not one of `names` with a value.
    init(_ arguments: [String], names: Set<String>) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard names.contains(name) else { throw UsageError(description: "unknown: \(name)") }
            guard let value = rest.popFirst() else {
                throw UsageError(description: "\(name) needs a value")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw UsageError(description: "\(name) is given twice")
            }
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// The number given for `name`, or `standard`.
    func number<Number: FixedWidthInteger>(_ name: String, _ standard: Number) throws -> Number {
        guard let text = values[name] else { return standard }
        guard let number = Number(text) else {
            throw UsageError(description: "\(name) needs a whole number: \(text)")
        }
        return number
    }
}

/// Says why on standard error and ends the program.
func fail(_ message: String, status: Int32) -> Never {
    let line = Array("quittance-simulator: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(status)
}
