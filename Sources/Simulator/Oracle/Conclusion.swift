/// What follows from the record for one transaction, whatever the instant.
struct Conclusion {
    enum Kind {
        /// Nothing verified is here.
        case unproven
        /// Signed for an environment in which nobody pays.
        case elsewhere
        /// Family sharing.
        case shared
        /// Another id for what was bought before.
        case restore
        /// It pays.
        case charge
    }

    /// A link to an order; the raw values are the strengths, strongest first.
    struct Link: Comparable {
        enum Strength: Int {
            case signed, platform, device, inherited
        }

        let strength: Strength
        let number: String
        let stamp: ArrivalStamp

        static func < (left: Link, right: Link) -> Bool {
            (left.strength.rawValue, left.stamp, left.number)
                < (right.strength.rawValue, right.stamp, right.number)
        }
    }

    /// Who owns a charge, and whether something names the account, beside where goods went and who
    /// sent proof.
    struct Owner {
        enum Basis {
            case order, token, username, delivery, sender
        }

        let account: String
        let basis: Basis

        /// Whether it rules out that the charge is another account's.
        var isNamed: Bool {
            switch basis {
            case .order, .token, .username: true
            case .delivery, .sender: false
            }
        }
    }

    let id: String
    let known: KnownTransaction
    let snapshot: KnownSnapshot?
    let kind: Kind
    /// Best first.
    var links: [Link] = []
    var owner: Owner?

    init(_ id: String, _ known: KnownTransaction, in life: World.Life) {
        self.id = id
        self.known = known
        let snapshot = KnownSnapshot(known, in: life)
        self.snapshot = snapshot
        kind =
            if let snapshot {
                if snapshot.transaction.environment != "Production" {
                    .elsewhere
                } else if snapshot.isFamilyShared {
                    .shared
                } else {
                    snapshot.isRestore ? .restore : .charge
                }
            } else {
                .unproven
            }
    }

    var isCharge: Bool { kind == .charge }
    var order: String? { links.first?.number }
    var originalId: String { snapshot?.transaction.originalId ?? id }
    var quantity: Int64 { snapshot?.transaction.quantity ?? 1 }
    var purchase: (Int64, Int, String) { snapshot?.order ?? (.min, id.utf8.count, id) }

    /// The purchase that a restore leads to, as far as is known.
    var restoredId: String? {
        switch kind {
        case .restore: originalId
        case .unproven: known.originals.keys.min()
        case .elsewhere, .shared, .charge: nil
        }
    }
}
