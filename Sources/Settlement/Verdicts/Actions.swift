extension Brief {
    /// What the agent should do.
    var action: Action {
        switch code {
        case .paidNotDelivered: redelivery
        case .chargedTwice:
            act(
                .letCustomerChoose,
                "Ask the customer: deliver the other \(counted(charges.count, "charge")) too "
                    + "(\(owed)), or let Apple refund.", secondAgent: isExpensive)
        case .deliveredToOther:
            act(
                .redeliverAndReverse,
                "Redeliver to the owner and reverse the other delivery: \(owed).", secondAgent: true
            )
        case .pending: waiting
        case .notClaimants:
            act(
                .askForAppleEmail,
                "Tell nothing of the owner or the charge. Ask for Apple's e-mail; transfer only "
                    + "with a second agent.")
        case .lapsed: act(.explain, "Explain that the subscription ended\(ended).")
        case .delivered: act(.showDelivery, "Show where and when it was delivered\(deliveredAt).")
        case .refunded:
            act(
                .explain,
                "Explain that Apple refunded it; do not grant again; revoke it if it still stands.")
        case .paymentUnlinked: linking
        case .wrongEnvironment:
            act(
                .explain,
                "Explain that no money was paid here: what was signed is of a test or of another "
                    + "app. Deliver only where the settings say so.")
        case .shared:
            act(.explain, "Explain that the family's organiser paid\(sharedUntil).")
        case .forged: act(.refuse, "Refuse, and keep what was offered.")
        case .disproved:
            act(.askForAppleEmail, "Say that Apple does not know it; ask for the e-mail itself.")
        case .notCharged:
            act(
                .explain,
                "Explain that no payment was made; Apple's history is complete to"
                    + " \(coverage.appleUntil.map(UTC.text) ?? "an unknown instant").")
        case .unproven: searching
        case .unknown: searchingElsewhere
        }
    }

    private func act(
        _ code: ActionCode, _ text: String, secondAgent: Bool = false, waitUntil: Int64? = nil
    ) -> Action {
        Action(code: code, text: text, needsSecondAgent: secondAgent, waitUntil: waitUntil)
    }

    // MARK: Single actions

    private var redelivery: Action {
        let isOrphan = charges.contains { $0.reading.owner == nil }
        let first = isOrphan ? "Find out whose it is and link it; then redeliver" : "Redeliver"
        let isContested = charges.contains(where: \.reading.links.isContested)
        let last = isContested ? " Several orders are named: decide first." : ""
        return act(
            .redeliver, "\(first) what was signed, once: \(owed).\(last)",
            secondAgent: isExpensive || isContested)
    }

    private var waiting: Action {
        let until =
            charges.compactMap(\.waitUntil).max()
            ?? attempts.since.map { shifted($0, by: file.policy.deferredStuck) }
        return act(
            .wait, "Wait until \(until.map(UTC.text) ?? "there is news").", waitUntil: until)
    }

    private var linking: Action {
        let ids = unique(likely.map(\.transactionId))
        let agrees = likely.allSatisfy { $0.reasons.contains(.account) }
        let isDearest = likely.contains { isDear($0.price) }
        return act(
            .link, "Link \(listed(ids)) after looking at the candidates; then deliver.",
            secondAgent: !agrees || isDearest)
    }

    private var searching: Action {
        let offers = subject.offers(in: file)
        let isUnreadable = offers.contains(where: \.isUnreadable)
        let upload = " Ask for a new upload: what was sent could not be read."
        if case .appleOrder(let id) = subject.question.subject {
            return act(.fetchFromApple, "Look up \(id) at Apple.")
        }
        let ids = subject.transactions.filter { !$0.isVerified }.map(\.id)
        if !ids.isEmpty {
            return act(
                .fetchFromApple,
                "Fetch \(listed(ids)) from Apple." + (isUnreadable ? upload : ""))
        }
        if isUnreadable {
            return act(.askForNewUpload, "Ask for a new upload: what was sent could not be read.")
        }
        return act(
            .askForAppleEmail, "Ask for the order id on Apple's e-mail (M…), and look it up.")
    }

    private var searchingElsewhere: Action {
        switch subject.question.subject {
        case .appleOrder(let id): act(.lookUpAppleOrder, "Look up \(id) at Apple.")
        case .transaction(let id): act(.fetchFromApple, "Fetch \(id) from Apple.")
        case .order, .token, .account:
            act(
                .searchByOtherKeys,
                "Nothing is known under this name: search by account, transaction or Apple's "
                    + "e-mail."
            )
        }
    }

    // MARK: Words

    /// Whether any charge costs enough, or an unknown price, to ask for a second agent.
    private var isExpensive: Bool { charges.contains { isDear($0.snapshot.price) } }

    private func isDear(_ price: Int64?) -> Bool {
        price.map { $0 >= file.policy.secondAgentFrom } ?? true
    }

    /// What is missing, by transaction.
    private var owed: String {
        listed(
            charges.map { charge in
                "\(charge.missing) × \(charge.snapshot.productId ?? "the product") of \(charge.id)"
            })
    }

    private func listed(_ texts: [String]) -> String {
        let shown = 10
        guard texts.count > shown else { return texts.joined(separator: ", ") }
        return texts.prefix(shown).joined(separator: ", ") + " and \(texts.count - shown) more"
    }

    private func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? noun : "\(count) \(noun)s"
    }

    private var ended: String {
        guard case .over(let end)? = charges.first?.subscription?.access else { return "" }
        return " on \(UTC.text(end))"
    }

    private var deliveredAt: String {
        let instants =
            subject.charges.isEmpty
            ? subject.deliveries(in: file).filter { $0.facts.standing > 0 }
                .compactMap { $0.facts.succeeded.first?.receivedAt }
            : charges.flatMap(\.shares).compactMap { $0.facts.succeeded.first?.receivedAt }
        guard let last = instants.max() else { return "" }
        return ", last on \(UTC.text(last))"
    }

    private var sharedUntil: String {
        let ends = subject.transactions.compactMap { $0.snapshot.revocationDate }
        guard let end = ends.max() else { return "" }
        return ", and that access ended on \(UTC.text(end))"
    }
}
