/// A snapshot that Apple dated: what the newest verified copy says, whenever it arrived.
protocol SignedSnapshot: Fact {
    var signedDate: Int64? { get }
    /// Of two copies signed at one instant, the one that revokes speaks.
    var isRevoked: Bool { get }
}

extension TransactionSnapshot: SignedSnapshot {
    var isRevoked: Bool { revocationDate != nil }
}

extension RenewalSnapshot: SignedSnapshot {
    var isRevoked: Bool { false }
}

extension DisputeNotice: SignedSnapshot {
    var isRevoked: Bool { false }
}

/// The newest snapshot: greatest `signedDate`; then the one that revokes; then the greatest digest.
struct Newest<Snapshot: SignedSnapshot>: Mergeable {
    /// The digest of the signed bytes; `nil` when nothing was told.
    var digest: String?
    /// The earliest event that brought these bytes.
    var stamp = Earliest()
    var snapshot = Snapshot()

    init() {}
    init(_ snapshot: Snapshot, digest: String, stamp: Stamp) {
        self.snapshot = snapshot
        self.digest = digest
        self.stamp = Earliest(stamp)
    }

    var told: Snapshot? { digest == nil ? nil : snapshot }

    mutating func merge(_ other: Newest) {
        guard let theirs = other.digest else { return }
        guard let ours = digest else { return self = other }
        if theirs == ours && other.snapshot == snapshot { return stamp.merge(other.stamp) }
        if isNewer(other, digest: theirs, than: ours) { self = other }
    }

    private func isNewer(_ other: Newest, digest theirs: String, than ours: String) -> Bool {
        let left = other.snapshot.signedDate ?? .min
        let right = snapshot.signedDate ?? .min
        if left != right { return left > right }
        if other.snapshot.isRevoked != snapshot.isRevoked { return other.snapshot.isRevoked }
        if theirs != ours { return bytesPrecede(ours, theirs) }
        // The same bytes read differently: one copy's personal members were erased.
        return snapshot.coded().lexicographicallyPrecedes(other.snapshot.coded())
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&digest)
        guard digest != nil else { return }
        try coder.field(&stamp)
        try coder.field(&snapshot)
    }
}
