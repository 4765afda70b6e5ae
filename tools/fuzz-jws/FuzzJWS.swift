internal import AppStore

/// The reader under test, without any bundle configured; its chain cache lives as long as it does.
private let reader = EvidenceReader(
    anchors: .apple, expectations: Expectations(), at: .signed, now: { 1_773_446_400_000 })

/// libFuzzer's way in: no bytes end the reader, and none are verified that Apple has not signed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJWS(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let part = reader.read(jws: bytes, path: "")
    precondition(part.verification.status != .verified, "verified without Apple's key")
    return 0
}
