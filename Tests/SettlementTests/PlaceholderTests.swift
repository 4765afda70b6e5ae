import Settlement
import Testing

@Suite("Missing order numbers")
struct PlaceholderTests {
    static let placeholders = [
        "", " ", "\t\n", "nil", "(nil)", "null", "(null)", "<null>", "undefined", "None",
        "苹果返回透传参数为nil", " nil ", "\u{3000}(null)\u{3000}", "\u{FEFF}",
    ]

    @Test("what clients send for no order number is none", arguments: placeholders)
    func placeholder(text: String) {
        var history = History()
        history.bought(text, Signed("1001"), at: 1)
        let shell = Shell(history)
        #expect(shell.facts.keys.allSatisfy { $0.kind != .order })
        #expect(shell.transaction("1001", at: 100).remarks.contains(.lostOrderNumber))
        #expect(!timelineKeys(of: history.events[0]).contains { $0.kind == .order })
    }

    @Test("what only looks like one is an order number", arguments: ["NIL", "none", "nil-1", "0"])
    func number(text: String) {
        var history = History()
        history.bought(text, Signed("1001"), at: 1)
        #expect(Shell(history).order(text, at: 100).charges.count == 1)
    }

    @Test("the bundle's own list is added, also to what was recorded before")
    func ownList() {
        var history = History()
        history.bought("N/A", Signed("1001"), at: 1)
        history.bought("N/A", Signed("1002"), at: 1)
        #expect(Shell(history).order("N/A", at: 100).charges.count == 2)
        history.settings(["placeholders": ["N/A"]])
        let shell = Shell(history)
        #expect(shell.order("N/A", at: 100).code == .unknown)
        #expect(shell.transaction("1001", at: 100).charges.first?.link == nil)
    }
}
