internal import AppStore

/// The reader under test; Apple's roots are all it trusts.
private let reader = EvidenceReader(
    anchors: .apple, expectations: Expectations(), at: .signed, now: { 1_773_446_400_000 })

/// libFuzzer's way in: no bytes end the reader of receipts or that of what they hold, and none are
/// verified that Apple has not signed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReceipt(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let part = reader.read(receipt: bytes)
    precondition(part.verification.status != .verified, "verified without Apple's key")
    precondition(part.bytes.isEmpty || part.digest.count == 32, "no digest")
    // The content by itself, which a signature would have to cover to be read otherwise.
    _ = try? ReceiptContent(bytes)
    return 0
}
