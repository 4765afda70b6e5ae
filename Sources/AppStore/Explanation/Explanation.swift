internal import AppStoreModel
internal import JSON

extension InspectionReport {
    /// What it means for the customer who sent it, in plain words: one sentence or two an element,
    /// the parts inside included. It promises nothing that the material does not prove.
    public var explanation: [String] {
        var sentences: [String] = []
        switch verification.status {
        case .verified: sentences += provenMeaning
        case .unsigned: sentences += unsignedMeaning
        case .refused: sentences += [verification.reason?.meaning ?? ""]
        }
        let shown = nested.prefix(Self.explainedMax)
        for part in shown {
            sentences += part.explanation.map { "\(Printable.text(part.path)): \($0)" }
        }
        if nested.count > shown.count {
            sentences.append("… and \(nested.count - shown.count) further signed parts.")
        }
        return sentences
    }

    /// How many parts inside are explained.
    private static var explainedMax: Int { 20 }

    private var provenMeaning: [String] {
        guard let payload else { return [] }
        switch SignedPartKind(rawValue: kind) {
        case .transaction: return TransactionPayload(payload).meaning
        case .renewal: return RenewalPayload(payload).meaning
        case .notification: return NotificationPayload(payload).meaning
        case .receipt: return ReceiptPayload(payload).meaning
        case .appTransaction:
            return [
                "Apple confirms that this customer has the app. It says nothing of purchases in it."
            ]
        case .answer, .notificationV1, .verifyReceiptAnswer, .unknown, nil:
            return ["Apple signed it, but it names no transaction: it proves no payment."]
        }
    }

    private var unsignedMeaning: [String] {
        guard let payload else { return ["Nobody signed it: it proves nothing."] }
        switch SignedPartKind(rawValue: kind) {
        case .answer: return answerMeaning(payload)
        case .verifyReceiptAnswer: return VerifyReceiptAnswer(payload).meaning
        case .notificationV1:
            let type = NotificationV1Payload(payload).notificationType ?? "nothing known"
            return [
                "An old notification (\(Printable.text(type))) that nobody signed: a hint to ask "
                    + "Apple, and no proof."
            ]
        case .transaction, .renewal, .notification, .receipt, .appTransaction, .unknown, nil:
            return ["Nobody signed it: only the signed parts inside count."]
        }
    }

    private func answerMeaning(_ payload: JSONValue) -> [String] {
        if payload["errorCode"] != nil { return ErrorAnswer(payload).meaning }
        var sentences = [
            "An answer of Apple's server, unsigned itself: the signed parts inside count."
        ]
        if payload["signedTransactions"] != nil, payload["status"] != nil {
            switch OrderLookupAnswer(payload).isValid {
            case true?: sentences.append("Apple knows the order id that was asked for.")
            case false?: sentences.append("Apple does not know the order id for this app.")
            case nil: break
            }
        }
        if payload["hasMore"]?.boolean == true {
            sentences.append("There are further pages: what is missing here may stand there.")
        }
        if payload["signedTransactions"]?.array?.isEmpty == true {
            sentences.append(
                "It lists no transaction. That does not mean that nothing was paid: finished "
                    + "consumables are in newer histories only.")
        }
        return sentences
    }
}

extension RefusalReason {
    /// What it means for the customer who sent it. Only a forgery accuses.
    public var meaning: String {
        switch self {
        case .malformed:
            "It cannot be read; most likely it was cut or changed on the way. It says nothing for "
                + "or against the customer: ask for it again."
        case .unknownKind:
            "It is nothing that can be verified. Ask for the order id of Apple's e-mail, or for "
                + "the app to send its receipt again."
        case .tooLarge: "It is longer than anything Apple sends. Ask for the original."
        case .unsigned: "Nobody signed it: it proves nothing, and accuses nobody."
        case .badAlgorithm, .untrustedChain, .wrongCertificatePurpose:
            "Apple did not sign this. Somebody made it, which need not be the customer: "
                + "deliver nothing for it."
        case .badSignature:
            "It was changed after Apple signed it, or Apple never signed it: deliver nothing for "
                + "it, and ask for the original."
        case .badCertificate: "A certificate in it is damaged. Ask for the original."
        case .chainExpired:
            "Its certificates were not valid at the instant checked. What Apple signed in the past "
                + "is to be checked for the date it was signed."
        case .signedInFuture:
            "It is dated later than now: a clock is wrong, here or there. Check again later."
        case .xcodeSigned:
            "A developer's own machine signed it in a test. No money was paid."
        case .wrongBundle, .wrongAppId:
            "Apple signed it, for another app: it pays for nothing here."
        case .wrongEnvironment:
            "Apple signed it, in another environment. What is bought in the sandbox costs nothing."
        case .deviceHashMismatch:
            "Apple signed it, for another device: it may have been copied from there, or the "
                + "device was set up anew."
        }
    }
}

extension ErrorAnswer {
    fileprivate var meaning: [String] {
        let number = errorCode.map { String($0.rawValue) } ?? "unknown"
        if errorCode == .transactionIdNotFound {
            return [
                "Apple answered with error \(number): it knows no such transaction for this app in "
                    + "the environment that was asked. Ask in the other one, too, before you "
                    + "conclude."
            ]
        }
        let again =
            errorCode?.isRetryable == true ? " The same question may be answered later." : ""
        return [
            "Apple answered with error \(number), which says something of the question and nothing "
                + "of the payment.\(again)"
        ]
    }
}

extension VerifyReceiptAnswer {
    fileprivate var meaning: [String] {
        var sentences = [
            "An answer of Apple's old verifyReceipt, which nobody signed: a hint, and no proof."
        ]
        switch status {
        case .isSandbox?:
            sentences.append(
                "21007: the receipt is of the sandbox and was sent to production. It is not "
                    + "invalid: ask the sandbox; no money was paid there.")
        case .isProduction?:
            sentences.append(
                "21008: the receipt is of production and was sent to the sandbox. Ask production.")
        case .notAuthenticated?:
            sentences.append("21003: Apple could not authenticate the receipt.")
        case .accountNotFound?: sentences.append("21010: the Apple account is gone.")
        case let status?:
            if status.saysNothingOfReceipt {
                sentences.append(
                    "\(status.rawValue): the question failed, and may succeed later; that says "
                        + "nothing of the receipt.")
            }
        case nil: break
        }
        let count = (receipt?.inApp.count ?? 0) + latestReceiptInfo.count
        if status == .valid, count == 0 {
            sentences.append(
                "It lists no purchase. That does not mean that nothing was paid: a consumable "
                    + "leaves the receipt once it is finished.")
        }
        return sentences
    }
}
