internal import AppStore
internal import AppStoreModel
internal import JSON

private let reader = EvidenceReader(
    anchors: .apple, expectations: Expectations(), at: .signed, now: { 1_773_446_400_000 })

/// libFuzzer's way in: no JSON ends the typed views of what Apple's servers send, signed or not, or
/// the search for signed parts in it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNotification(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let json = try? JSONValue(parsing: bytes) else { return 0 }
    let views: [any PayloadView] = [
        NotificationPayload(json), TransactionPayload(json), RenewalPayload(json),
        AppTransactionPayload(json), ReceiptPayload(json), NotificationV1Payload(json),
        VerifyReceiptAnswer(json), TransactionPage(json), OrderLookupAnswer(json),
        SubscriptionStatusesAnswer(json), NotificationHistoryPage(json), ErrorAnswer(json),
    ]
    for view in views {
        precondition(view.unknownMembers.count <= json.members?.count ?? 0, "more than there are")
    }
    let part = reader.read(wrapper: json, bytes: bytes, kind: .notificationV1)
    for nested in part.nested {
        guard let place = nested.place else { preconditionFailure("a part without a place") }
        precondition(bytes.indices.contains(place.lowerBound) && place.upperBound <= bytes.count)
    }
    return 0
}
