internal import EventLog

/// Events of about 960 bytes.
enum LoadEvent {
    private static let beginning = Array(#"{"specversion":"1.0","id":""#.utf8)
    private static let middle = Array(
        """
        ","source":"delivery","type":"delivery.succeeded","time":"2026-03-14T12:00:00Z",\
        "recordedtime":"2026-03-14T12:00:00Z","datacontenttype":"application/json","data":{\
        "bundleId":"com.example.app","environment":"Production","deliveryId":"delivery-
        """.utf8)
    private static let end = Array(
        """
        ","productId":"com.example.app.gems.100","orderNumber":"9997B2D0-0256-41D8-A188",\
        "transactionId":"470023107914197","quantity":1,"note":"
        """.utf8)
    private static let note = [UInt8](repeating: UInt8(ascii: "x"), count: 560)
    private static let keys = EventKeys(
        orderNumber: Array("9997B2D0-0256-41D8-A188".utf8),
        transactionId: Array("470023107914197".utf8), bundleId: Array("com.example.app".utf8),
        environment: Array("Production".utf8))

    /// A CloudEvent as a company's delivery server would send it. It is put together from bytes:
    /// what makes the load should cost little beside what is measured.
    static func text(id: String) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(1_024)
        text += beginning
        text += id.utf8
        text += middle
        text += id.utf8
        text += end
        text += note.dropLast(2 * id.utf8.count)
        text += #""}}"#.utf8
        return text
    }

    /// As the door would hand it over.
    static func event(id: String) -> NewEvent {
        NewEvent(
            source: "delivery", id: id, type: "delivery.succeeded", time: 1_773_489_600_000,
            receivedAt: 1_773_489_600_000, keys: keys, received: text(id: id))
    }
}
