import AppStore
import EventLog
import Intake
import JSON
import Settlement
import Simulator
import TestKit
import Testing

@Suite("A simulated world before the service's door")
struct WorldDoorTests {
    @Test("every line is taken in; of its proofs exactly the false ones are refused")
    func accepted() throws {
        let orders = Effort.isFull ? 2_000 : 150
        let world = World(World.Configuration(seed: 21, orders: orders, days: 10))
        let writer = EventWriter(world)
        let anchors = try TrustAnchors.none.adding(writer.signer.chain.rootDER)
            .adding(writer.signer.receipts.rootDER)
        let door = Door(
            name: "test",
            evidence: EvidenceReader(anchors: anchors, now: { world.configuration.end }),
            settings: Settings(), receivedAt: world.configuration.end)
        var log = WorldLog(world)
        var flaws: Set<RefusalReason> = []
        while let stretch = log.nextStretch() {
            for entry in stretch.entries {
                let (arrival, life) = stretch[entry]
                let read = door.read(writer.cloudEvent(arrival, of: life))
                guard case .event(let event, let refusals) = read else {
                    Issue.record("\(arrival.type) \(arrival.id) was refused")
                    continue
                }
                #expect(event.receivedAt == arrival.receivedAt)
                #expect(event.source == arrival.source && event.id == arrival.id)
                #expect(refusals.isEmpty == !arrival.isFalse(in: life), "\(arrival.id)")
                flaws.formUnion(refusals.map(\.reason))
            }
        }
        #expect(flaws.isSuperset(of: [.badSignature, .untrustedChain]))
    }

    @Test("the bodies that Apple posted are the events of the log")
    func bodies() throws {
        let folder = try ScratchFolder()
        try folder.write(World.Configuration(seed: 22, orders: 40, days: 5))
        let anchors = try TrustAnchors.none.adding(try folder.bytes(of: "trust/root.der"))
        let door = Door(
            name: "test", evidence: EvidenceReader(anchors: anchors), settings: Settings(),
            receivedAt: 0)
        let lines = try folder.lines(of: "notifications.ndjson")
        #expect(lines.count > 20)
        for line in lines {
            guard case .event(let event, let refusals) = door.read(line) else {
                Issue.record("a body was refused")
                continue
            }
            #expect(event.type == "appstore.notification" && refusals.isEmpty)
        }
    }
}

extension World.Arrival {
    /// Whether it carries a proof that is not to be believed, among those that the door judges.
    fileprivate func isFalse(in life: World.Life) -> Bool {
        let evidence: World.Evidence? =
            switch content {
            case .device(let report): report.evidence
            case .claimEvidence(let claim): life.claims[claim].evidence
            case .settings, .registered, .consented, .orderCreated, .orderCancelled,
                .paymentLinked, .notification, .delivery, .goodwill, .claimOpened:
                nil
            }
        return evidence?.flaw != nil
    }
}
