internal import PostgreSQL

extension RecordedEvent {
    /// From a row of `event_log`.
    init(row: Row) throws {
        let position: Int64 = try row.value("position")
        guard let eventKey = EventKey(bytes: try row.value("event_key")) else {
            throw EventLogError.damaged(position: position, "its key is not 16 bytes long")
        }
        let personalBytes: [UInt8]? = try row.value("personal")
        let personal = personalBytes.flatMap(PersonalValues.init(encoded:))
        if personalBytes != nil, personal == nil {
            throw EventLogError.damaged(position: position, "its personal values are unreadable")
        }
        let numbers: [Int32] = try row.value("evidence_places")
        self.init(
            position: position,
            recordedAt: try row.value("recorded_at", as: Timestamp.self).milliseconds,
            leaf: try row.value("leaf"),
            columns: EventColumns(
                eventKey: eventKey, source: try row.value("source"), id: try row.value("id"),
                type: try row.value("type"), subject: try row.value("subject"),
                time: try row.value("time", as: Timestamp?.self)?.milliseconds,
                receivedAt: try row.value("received_at", as: Timestamp.self).milliseconds,
                actor: try row.value("actor"), keys: try EventKeys(row: row),
                evidence: try row.value("evidence"),
                places: numbers.map(EvidencePlace.init(number:)), body: try row.value("body"),
                parts: try row.value("parts"), personalDigest: try row.value("personal_digest")),
            personal: personal, personalBytes: personalBytes,
            salt: try row.value("personal_salt"))
    }
}

extension EventKeys {
    fileprivate init(row: Row) throws {
        self.init(
            orderNumber: try row.value("order_number"),
            transactionId: try row.value("transaction_id"),
            originalTransactionId: try row.value("original_transaction_id"),
            bundleId: try row.value("bundle_id"), environment: try row.value("environment"))
    }
}
