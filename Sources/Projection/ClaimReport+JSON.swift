internal import JSON
internal import Settlement

extension ClaimReport {
    /// The stable JSON form of `claim list --json` and `claim show --json`: one object.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("claimId", claim.claimId)
            writer.member("bundleId", claim.bundle)
            writer.member("openedAt", claim.openedAt)
            writer.member("position", position)
            writer.name("named")
            writeNamed(to: &writer)
            writer.member("channel", claim.channel)
            writer.member("ticket", claim.ticket)
            writer.name("orders")
            writer.array(answer?.orders ?? []) { $0.string($1) }
            writer.member("status", answer?.status.headline.rawValue)
            writer.name("verdict")
            if let verdict { verdict.write(to: &writer) } else { writer.null() }
            writer.name("charges")
            writer.array(answer?.charges ?? []) { $1.write(to: &$0) }
            writer.name("candidates")
            writer.array(answer?.candidates ?? []) { $1.write(to: &$0) }
        }
        return writer.bytes
    }

    private func writeNamed(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("account", claim.account)
            writer.member("applicationUsername", claim.applicationUsername)
            writer.member("transactionId", claim.transactionId)
            writer.member("orderId", claim.appleOrderId)
            writer.member("productId", claim.purchase.productId)
            writer.member("amount", claim.purchase.amount)
            writer.member("currency", claim.purchase.currency)
            writer.member("claimedAt", claim.purchase.claimedAt)
        }
    }
}
