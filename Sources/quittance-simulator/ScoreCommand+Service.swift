internal import AppStore
internal import Glibc
internal import Simulator

/// The service as an agent reaches it: the program `quittance`.
struct ScoredService {
    /// A claim's name among the answers.
    struct Claim: Hashable {
        let bundle: String
        let subject: Expectation.Subject
    }

    let program: String
    /// A libpq connection string; `nil` leaves it to the environment.
    let database: String?

    private var options: [String] { database.map { ["--database", $0] } ?? [] }

    /// Every claim's answer.
    func claims() throws -> [Claim: GivenAnswer] {
        var answers: [Claim: GivenAnswer] = [:]
        let child = try ChildProgram(program, ["claim", "list", "--json"] + options)
        try child.lines.forEach { line in
            guard let answer = try AnswerReader.claim(from: line, askedAt: SystemClock.now())
            else { return }
            answers[Claim(bundle: answer.bundle, subject: answer.subject)] = answer
        }
        try child.finish(allowed: [0])
        return answers
    }

    /// Asks about orders, all at once, and hands on each answer as it comes.
    func orders(
        _ entries: [ExpectedReader.Entry],
        _ each: (ExpectedReader.Entry, GivenAnswer?) throws -> Void
    ) throws {
        let names = try NamesFile(entries.compactMap(\.orderNumber))
        defer { names.remove() }
        let child = try ChildProgram(
            program, ["order", "show", "--from", names.path, "--jsonl"] + options)
        var waiting = entries[...]
        try child.lines.forEach { line in
            guard let entry = waiting.popFirst(), let number = entry.orderNumber else { return }
            try each(
                entry,
                try AnswerReader.order(
                    number, in: entry.bundle, from: line, askedAt: SystemClock.now()))
        }
        // 3: some name was not found, which is an answer too.
        try child.finish(allowed: [0, 3])
        for entry in waiting { try each(entry, nil) }
    }

    /// The events behind a claim's answer: those of its charges.
    func history(of answer: GivenAnswer) throws -> [String] {
        let ids = answer.charges.map(\.transactionId)
        guard !ids.isEmpty else { return [] }
        let names = try NamesFile(ids)
        defer { names.remove() }
        let child = try ChildProgram(
            program, ["order", "show", "--from", names.path, "--jsonl"] + options)
        var lines: [String] = []
        try child.lines.forEach { lines += try AnswerReader.timeline(in: $0) }
        try child.finish(allowed: [0, 3])
        return lines
    }
}

/// A file of names, one a line, for as long as somebody reads it.
struct NamesFile {
    let path: String

    init(_ names: [String]) throws {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let name = "quittance-score-" + String(repeating: "X", count: 6)
        var template = Array("\(folder)/\(name)".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw ChildFailure(description: "no file in \(folder)") }
        defer { close(descriptor) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var rest = Array(names.joined(separator: "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ChildFailure(description: "cannot write \(path)") }
            rest = rest.dropFirst(count)
        }
    }

    func remove() { unlink(path) }
}
