internal import AppStore
internal import Intake

/// `inspect`: what signed material is, offline.
enum InspectCommand {
    static let description = CommandDescription(
        words: ["inspect"],
        summary: "tell what signed material is, who signed it, and what it says",
        synopsis: "[OPTION…] FILE…|-",
        options: [
            TrustOptions.trust,
            Option(name: "bundle", value: "ID", summary: "refuse material of another bundle"),
            Option(
                name: "app-apple-id", value: "N",
                summary: "refuse production material of another app"),
            Option(
                name: "environment", value: "E",
                summary: "refuse material of another environment (Production, Sandbox)"),
            Option(
                name: "at", value: "signed|now|MS",
                summary: "for which instant certificates are checked (default: signed)"),
            Option(name: "json", summary: "one JSON object a file"),
        ],
        discussion: """
            Needs neither database nor network. Reads signed transactions, renewal infos, app
            transactions and notifications. Exit 0 verified, 4 refused or unsigned, 1 unreadable
            file.
            """,
        operands: 1...Int.max, run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let reader = EvidenceReader(
            anchors: try TrustOptions.anchors(arguments), expectations: try expectations(arguments),
            at: try instant(arguments.value("at")), now: currentMilliseconds)
        var code = ExitCode.ok
        for path in arguments.operands {
            let bytes: [UInt8]
            do {
                bytes = try InputReader.contents(of: path, bytesMax: InputReader.itemBytesMax)
            } catch {
                Terminal.say("\(path): \(error.reason)")
                code = .failed
                continue
            }
            let report = inspect(bytes, reader: reader)
            if arguments.has("json") {
                Terminal.print(report.json)
            } else {
                if arguments.operands.count > 1 { Terminal.print("== \(path)") }
                Terminal.print(report.text)
            }
            if !report.isVerified, code == .ok { code = .discrepancies }
        }
        return code
    }

    private static func expectations(_ arguments: Arguments) throws -> Expectations {
        let appId = try arguments.value("app-apple-id").map { text in
            guard let id = Int64(text) else { throw UsageError("--app-apple-id is not a number") }
            return id
        }
        return Expectations(
            bundles: Set(try arguments.value("bundle").map { [$0] } ?? []), appAppleId: appId,
            environments: try arguments.value("environment").map { [$0] })
    }

    private static func instant(_ text: String?) throws -> VerificationInstant {
        switch text {
        case nil, "signed": return .signed
        case "now": return .now
        case let text?:
            guard let milliseconds = Int64(text) else {
                throw UsageError("--at is signed, now, or milliseconds since 1970 UTC")
            }
            return .given(milliseconds)
        }
    }
}
