import AppStore
import EventLog
import Intake
import JSON
import Settlement
import Simulator
import TestKit
import Testing

/// What the tests' doors have in common.
enum World {
    /// When what carries no `recordedtime` was received: 2026-03-14T18:00:00Z.
    static let receivedAt: Int64 = TestApple.noon + 6 * 3_600_000

    /// A door that trusts the tests' own root.
    static func door(_ settings: Settings = Settings()) throws -> Door {
        door(settings, anchors: try anchors(), bundles: [])
    }

    static func anchors() throws -> TrustAnchors {
        try TrustAnchors.none.adding(TestApple.chain.rootDER)
    }

    static func door(_ settings: Settings, anchors: TrustAnchors, bundles: Set<String>) -> Door {
        Door(
            name: "import",
            evidence: EvidenceReader(
                anchors: anchors, expectations: Expectations(bundles: bundles), at: .signed,
                now: { receivedAt }),
            settings: settings, receivedAt: receivedAt)
    }

    /// The settings of the tests' bundle, as an event changes them.
    static func settings(_ data: KeyValuePairs<String, (any JSONText)?>) -> Settings {
        var settings = Settings()
        let bundle = JSONMember("bundleId", TestApple.bundle.json)
        settings.apply(
            SettlementEvent(
                key: [], source: "operator", type: "settings.changed", receivedAt: 0,
                data: JSONValue(.object([bundle] + members(data))), parts: []))
        return settings
    }
}

extension Door {
    /// The event in the bytes; an error if they are refused.
    func accept(_ bytes: [UInt8]) throws -> NewEvent {
        guard case .event(let event, _) = read(bytes) else {
            throw Unexpected(what: "refused: \(bytes.text.prefix(300))")
        }
        return event
    }

    func accept(_ text: EventText) throws -> NewEvent { try accept(text.bytes) }

    /// Why the bytes are refused; an error if they are not.
    func refusal(of bytes: [UInt8]) throws -> Refusal {
        guard case .refused(let refusal) = read(bytes) else {
            throw Unexpected(what: "accepted: \(bytes.text.prefix(300))")
        }
        return refusal
    }

    func refusal(of text: EventText) throws -> Refusal { try refusal(of: text.bytes) }
}

struct Unexpected: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
}

extension NewEvent {
    /// The texts of the values that can be forgotten, in their order.
    var personalTexts: [String] {
        personal.sorted { $0.lowerBound < $1.lowerBound }.map { Array(received[$0]).text }
    }

    /// The same of the judged parts.
    var personalTextsInParts: [String] { personalInParts.map { Array(parts[$0]).text } }
}

extension [UInt8]? {
    var text: String? { map { String(decoding: $0, as: UTF8.self) } }
}
