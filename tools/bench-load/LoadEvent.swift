internal import EventLog

/// Events of about 960 bytes.
enum LoadEvent {
    /// A CloudEvent as a company's delivery server would send it.
    static func text(id: String) -> [UInt8] {
        let note = String(repeating: "x", count: max(0, 560 - 2 * id.utf8.count))
        return Array(
            """
            {"specversion":"1.0","id":"\(id)","source":"delivery","type":"delivery.succeeded",\
            "time":"2026-03-14T12:00:00Z","recordedtime":"2026-03-14T12:00:00Z",\
            "datacontenttype":"application/json","data":{"bundleId":"com.example.app",\
            "environment":"Production","deliveryId":"delivery-\(id)",\
            "productId":"com.example.app.gems.100","orderNumber":"9997B2D0-0256-41D8-A188",\
            "transactionId":"470023107914197","quantity":1,"note":"\(note)"}}
            """.utf8)
    }

    /// As the door would hand it over.
    static func event(id: String) -> NewEvent {
        NewEvent(
            source: "delivery", id: id, type: "delivery.succeeded", time: 1_773_489_600_000,
            receivedAt: 1_773_489_600_000,
            keys: EventKeys(
                orderNumber: Array("9997B2D0-0256-41D8-A188".utf8),
                transactionId: Array("470023107914197".utf8),
                bundleId: Array("com.example.app".utf8), environment: Array("Production".utf8)),
            received: text(id: id))
    }
}
