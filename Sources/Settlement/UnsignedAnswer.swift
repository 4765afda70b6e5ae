internal import AppStoreModel
internal import JSON

/// A line of an answer of `verifyReceipt`: it names a purchase and proves nothing.
struct UnsignedLine {
    let key: EntityKey
    let snapshot: TransactionSnapshot
    /// SHA-256 of the answer, in hexadecimal.
    let digest: String
}

extension SettlementEvent {
    /// The lines of the answers that an operator brought in. What a device or a public door hands
    /// over unsigned counts for nothing.
    var unsignedLines: [UnsignedLine] {
        guard type == "appstore.answer" else { return [] }
        return signedParts.flatMap { part in
            part.kind == "verify-receipt-answer" ? lines(of: part) : []
        }
    }

    private func lines(of part: SignedPart) -> [UnsignedLine] {
        guard let payload = part.payload else { return [] }
        let answer = VerifyReceiptAnswer(payload)
        let bundle = answer.receipt?.bundleId.flatMap(named) ?? bundle
        let asOf = answer.receipt?.requestDate ?? answer.receipt?.receiptCreationDate
        let environment = answer.environment?.rawValue
        // The newest state says more than the receipt in question does.
        let all = answer.latestReceiptInfo + (answer.receipt?.inApp ?? [])
        var snapshots: [EntityKey: TransactionSnapshot] = [:]
        for line in all {
            guard let id = line.transactionId.flatMap(named) else { continue }
            let told = TransactionSnapshot(line, environment: environment, asOf: asOf)
            let key = EntityKey.transaction(bundle, id)
            guard var first = snapshots[key] else {
                snapshots[key] = told
                continue
            }
            first.fill(from: told)
            first.isUpgraded = first.isUpgraded ?? told.isUpgraded
            snapshots[key] = first
        }
        return snapshots.sorted { $0.key < $1.key }.map { key, snapshot in
            UnsignedLine(key: key, snapshot: snapshot, digest: part.digest)
        }
    }
}
