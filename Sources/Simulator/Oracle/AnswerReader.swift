internal import AppStoreModel
internal import JSON

/// Reads what the service prints for agents.
public enum AnswerReader {
    /// The answer about an order, from a line of `quittance order show --from FILE --jsonl`; `nil`
    /// where the order is not in it.
    /// - Throws: `JSONError` for what is not JSON.
    public static func order(
        _ number: String, in bundle: String, from line: [UInt8], askedAt: Int64
    ) throws -> GivenAnswer? {
        let report = try JSONValue(parsing: line)
        let order = report["orders"]?.array?.first { order in
            order["bundleId"]?.string == bundle
                && order["orderNumber"]?.string.map { folded($0) == folded(number) } == true
        }
        return order.map { answer(.order(number), bundle, $0, askedAt) }
    }

    /// The answer to a claim, from a line of `quittance claim list --json`; `nil` where the line is
    /// of no claim.
    /// - Throws: `JSONError` for what is not JSON.
    public static func claim(from line: [UInt8], askedAt: Int64) throws -> GivenAnswer? {
        let report = try JSONValue(parsing: line)
        guard let id = report["claimId"]?.string, let bundle = report["bundleId"]?.string else {
            return nil
        }
        return answer(.claim(id), bundle, report, askedAt)
    }

    /// The order numbers and transaction ids under which a claim's history can be read.
    /// - Throws: `JSONError` for what is not JSON.
    public static func names(inClaim line: [UInt8]) throws -> [String] {
        let report = try JSONValue(parsing: line)
        return (report["orders"]?.array ?? []).compactMap(\.string)
            + (report["charges"]?.array ?? []).compactMap { $0["transactionId"]?.string }
    }

    /// The events in a line of `order show`, each as people read it.
    /// - Throws: `JSONError` for what is not JSON.
    public static func timeline(in line: [UInt8]) throws -> [String] {
        let report = try JSONValue(parsing: line)
        let entries = (report["orders"]?.array ?? []) + (report["orphans"]?.array ?? [])
        return entries.flatMap(timeline)
    }

    private static func answer(
        _ subject: Expectation.Subject, _ bundle: String, _ report: JSONValue, _ askedAt: Int64
    ) -> GivenAnswer {
        GivenAnswer(
            subject: subject, bundle: bundle,
            verdict: report.at("verdict", "code")?.string ?? "none",
            status: report["status"]?.string ?? "none",
            remarks: (report.at("verdict", "remarks")?.array ?? []).compactMap(\.string),
            charges: (report["charges"]?.array ?? []).map { charge in
                GivenAnswer.Charge(
                    transactionId: charge["transactionId"]?.string ?? "",
                    verdict: charge["verdict"]?.string ?? "",
                    owner: charge.at("owner", "account")?.string,
                    missing: charge["missing"]?.int64 ?? 0)
            }, askedAt: askedAt, timeline: timeline(report))
    }

    private static func timeline(_ entry: JSONValue) -> [String] {
        (entry["timeline"]?.array ?? []).map { event in
            let instant = event["receivedAt"]?.int64.map(RFC3339.text) ?? "?"
            let transaction = event["transactionId"]?.string.map { " \($0)" } ?? ""
            return "\(event["position"]?.int64 ?? 0) \(instant) \(event["type"]?.string ?? "?")"
                + transaction
        }
    }

    /// UUIDs are compared in lower case; nothing else holds 36 characters here.
    private static func folded(_ number: String) -> String {
        number.utf8.count == 36 ? number.lowercased() : number
    }
}
