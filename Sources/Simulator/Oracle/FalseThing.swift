/// Something false that an answer says: the worst that the service can do.
public struct FalseThing: Sendable, Equatable {
    /// What is false.
    public enum Kind: String, Sendable, CaseIterable {
        /// `not-charged` or `disproved` to one who was charged.
        case deniedCharge = "denied-charge"
        /// `forged` for genuine material.
        case genuineCalledForged = "genuine-called-forged"
        /// `delivered` to one who got nothing.
        case deliveredNothing = "delivered-nothing"
        /// `charged-twice` for one charge.
        case chargedOnce = "charged-once"
        /// Goods advised to one who does not own the charge.
        case goodsToNonOwner = "goods-to-non-owner"
        /// A grant advised of what was given already.
        case grantedTwice = "granted-twice"
        /// A grant advised of what was refunded in full.
        case grantedAfterRefund = "granted-after-refund"
    }

    /// What is false.
    public let kind: Kind
    /// Of whom or what: a transaction id, or empty for the answer as a whole.
    public let about: String
}

extension WorldTruths {
    /// Everything false in an answer. Where the truth never reached the service (`untold`), an
    /// answer that rests on the last that was told is no lie.
    public func falseThings(in answer: GivenAnswer) -> [FalseThing] {
        let person = person(of: answer)
        var found: [FalseThing] = []
        switch ExpectedVerdict(rawValue: answer.verdict) {
        case .notCharged, .disproved:
            if wasCharged(answer) { found.append(FalseThing(kind: .deniedCharge, about: "")) }
        case .forged:
            if !mayBeForged(answer) {
                found.append(FalseThing(kind: .genuineCalledForged, about: ""))
            }
        case .delivered: found += emptyDeliveries(answer, person)
        case .chargedTwice:
            let charges = answer.charges.filter { self[$0, answer]?.isCharged == true }
            if charges.count < 2 { found.append(FalseThing(kind: .chargedOnce, about: "")) }
        case .paidNotDelivered, .deliveredToOther, .pending, .notClaimants, .lapsed, .refunded,
            .paymentUnlinked, .wrongEnvironment, .shared, .unproven, .unknown, nil:
            break
        }
        return found + answer.charges.flatMap { wrongGrants($0, answer) }
    }

    private subscript(charge: GivenAnswer.Charge, answer: GivenAnswer) -> Transaction? {
        transactions[Name(bundle: answer.bundle, id: charge.transactionId)]
    }

    private func order(of answer: GivenAnswer) -> Order? {
        guard case .order(let number) = answer.subject else { return nil }
        return orders[Name(bundle: answer.bundle, id: number)]
    }

    private func claim(of answer: GivenAnswer) -> Claim? {
        guard case .claim(let id) = answer.subject else { return nil }
        return claims[Name(bundle: answer.bundle, id: id)]
    }

    /// Who is told.
    private func person(of answer: GivenAnswer) -> String? {
        order(of: answer)?.account ?? claim(of: answer)?.account
    }

    // MARK: Denials and accusations

    /// Whether Apple took money of the person for what was asked about.
    private func wasCharged(_ answer: GivenAnswer) -> Bool {
        if let order = order(of: answer) { return !order.charges.isEmpty }
        guard let claim = claim(of: answer) else { return false }
        let named = claim.order.flatMap { orders[Name(bundle: answer.bundle, id: $0)] }
        if let named, named.account == claim.account, !named.charges.isEmpty { return true }
        let paid = claim.transaction.flatMap {
            transactions[Name(bundle: answer.bundle, id: $0)]
        }
        return paid?.isCharged == true && paid?.owner == claim.account
    }

    /// Whether the person did send made-up material. One who did may have paid all the same: the
    /// word is about what was offered.
    private func mayBeForged(_ answer: GivenAnswer) -> Bool {
        guard let person = person(of: answer) else { return false }
        return forgers.contains(Name(bundle: answer.bundle, id: person))
    }

    // MARK: Goods

    private func emptyDeliveries(_ answer: GivenAnswer, _ person: String?) -> [FalseThing] {
        let said = answer.charges.filter { $0.verdict == ExpectedVerdict.delivered.rawValue }
        guard said.isEmpty else {
            return said.compactMap { charge in
                guard let paid = self[charge, answer] else {
                    return FalseThing(kind: .deliveredNothing, about: charge.transactionId)
                }
                // Who got another's goods by mistake got something all the same.
                let isServed =
                    paid.served > 0 || (paid.isSubscription && paid.isCharged)
                    || paid.delivered.contains { $0.account == person }
                let isUntold = isUntold(.takenBack, charge, answer)
                return isServed || isUntold
                    ? nil : FalseThing(kind: .deliveredNothing, about: charge.transactionId)
            }
        }
        return gotAnything(person, answer) ? [] : [FalseThing(kind: .deliveredNothing, about: "")]
    }

    /// Whether anything stands with the person under the order, or, of a claim, at all.
    private func gotAnything(_ person: String?, _ answer: GivenAnswer) -> Bool {
        if let order = order(of: answer) {
            return order.delivered.contains { $0.account == person }
        }
        return orders.contains { name, order in
            name.bundle == answer.bundle && order.delivered.contains { $0.account == person }
        }
            || transactions.contains { name, transaction in
                name.bundle == answer.bundle
                    && transaction.delivered.contains { $0.account == person }
            }
    }

    /// What is false about goods that the answer advises for one charge.
    private func wrongGrants(
        _ charge: GivenAnswer.Charge, _ answer: GivenAnswer
    ) -> [FalseThing] {
        switch ExpectedVerdict(rawValue: charge.verdict) {
        case .paidNotDelivered, .deliveredToOther: break
        case .pending, .notClaimants, .lapsed, .delivered, .refunded, .chargedTwice,
            .paymentUnlinked, .wrongEnvironment, .shared, .forged, .disproved, .notCharged,
            .unproven, .unknown, nil:
            return []
        }
        func found(_ kind: FalseThing.Kind) -> FalseThing {
            FalseThing(kind: kind, about: charge.transactionId)
        }
        guard let paid = self[charge, answer], paid.isCharged else {
            return [found(.goodsToNonOwner)]
        }
        var result: [FalseThing] = []
        if let owner = charge.owner, owner != paid.owner, !isUntold(.owner, charge, answer) {
            result.append(found(.goodsToNonOwner))
        }
        if !isUntold(.delivery, charge, answer), charge.missing + paid.served > paid.quantity {
            result.append(found(.grantedTwice))
        }
        if paid.isRefunded, !isUntold(.refund, charge, answer) {
            result.append(found(.grantedAfterRefund))
        }
        return result
    }

    private func isUntold(
        _ fact: Untold.Fact, _ charge: GivenAnswer.Charge, _ answer: GivenAnswer
    ) -> Bool {
        untold[Name(bundle: answer.bundle, id: charge.transactionId)]?.contains(fact) == true
    }
}
