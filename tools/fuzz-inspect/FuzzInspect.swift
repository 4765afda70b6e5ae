internal import AppStore
internal import JSON

private let reader = EvidenceReader(
    anchors: .apple, expectations: Expectations(), at: .signed, now: { 1_773_446_400_000 })

/// libFuzzer's way in: whatever a person hands over is told in words and in JSON, and nothing is
/// verified that Apple has not signed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzInspect(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let report = inspect(bytes, reader: reader)
    precondition(!report.isVerified, "verified without Apple's key")
    precondition(!report.explanation.isEmpty, "nothing said")
    precondition(!report.text(explained: true).isEmpty, "nothing told")
    guard (try? JSONValue(parsing: report.json(explained: true), limits: limits)) != nil else {
        preconditionFailure("the report is no JSON")
    }
    return 0
}

/// Wider than those of what is read, since the report holds it.
private let limits = JSONLimits(bytesMax: 1 << 30, depthMax: 200, valuesMax: 10_000_000)
