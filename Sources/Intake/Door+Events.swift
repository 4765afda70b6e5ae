internal import AppStore
internal import EventLog
internal import JSON
internal import Settlement

extension Door {
    /// An event of a device, the platform, the delivery server or the support desk.
    func readEvent(_ event: CloudEvent, _ bytes: [UInt8]) throws(Malformed) -> Incoming {
        guard !EventCatalogue.reservedTypes.contains(event.type),
            !["apple", "refused", "ingest", "reverified", "admin"].contains(event.source)
        else { throw Malformed("source and type of this event are the service's own") }
        let entry = EventCatalogue.entry(for: event.type)
        if let entry { try check(event.data, against: entry) }
        let parts = judge(event.data, entry: entry)
        let standing = parts.evidence.compactMap(\.range)
        let personal = personalRanges(of: event, entry: entry).filter { range in
            !standing.contains { $0.overlaps(range) }
        }
        let new = newEvent(
            source: event.source, id: event.id, type: event.type, subject: event.subject,
            time: event.time, receivedAt: event.recordedTime ?? receivedAt, received: bytes,
            personal: personal, parts: parts,
            named: { member in plainIdentifier(member, of: event, entry: entry) })
        return accepted(new, bytes, parts)
    }

    func check(_ data: JSONValue?, against entry: EventCatalogue.Entry) throws(Malformed) {
        guard let data, data.members != nil else { throw Malformed("data is not an object") }
        for name in entry.required where !Self.isPresent(data[name]) {
            throw Malformed("data.\(name) is missing")
        }
        for name in entry.required + entry.requiredOneOf {
            guard let length = data[name]?.identifier?.utf8.count,
                length > JSONValue.nameBytesMax, !entry.signed.contains(name)
            else { continue }
            throw Malformed("data.\(name) is longer than \(JSONValue.nameBytesMax) bytes")
        }
        if !entry.requiredOneOf.isEmpty,
            !entry.requiredOneOf.contains(where: { Self.isPresent(data[$0]) })
        {
            let names = entry.requiredOneOf.map { "data.\($0)" }.joined(separator: " and ")
            throw Malformed("one of \(names) must be there")
        }
    }

    private static func isPresent(_ value: JSONValue?) -> Bool {
        guard let value else { return false }
        return value.boolean != nil || value.identifier?.isEmpty == false
    }

    /// Judges the members that hold signed material.
    private func judge(_ data: JSONValue?, entry: EventCatalogue.Entry?) -> EvidenceParts {
        var parts = EvidenceParts()
        for member in entry?.signed ?? [] {
            guard let value = data?[member], let text = value.string, !text.isEmpty else {
                continue
            }
            let part = evidence.read(signedText: Array(text.utf8), path: "data.\(member)")
            parts.add(part, range: value.range)
        }
        return parts
    }

    // MARK: Personal values

    /// The values that can be forgotten: members of `data` and extensions not listed as plain.
    func personalRanges(of event: CloudEvent, entry: EventCatalogue.Entry?)
        -> [Range<Int>]
    {
        let extensions = event.envelope.members?.filter {
            !CloudEvent.attributes.contains($0.name) && !$0.value.isNull
        }
        return (extensions ?? []).map(\.value.range)
            + personalMembers(of: event.data, type: event.type, entry: entry)
    }

    private func personalMembers(
        of data: JSONValue?, type: String, entry: EventCatalogue.Entry?
    ) -> [Range<Int>] {
        guard let data, !data.isNull else { return [] }
        // What is not an object, or of a type nobody knows, is personal as a whole but for ids.
        guard let members = data.members else { return [data.range] }
        let settings = settings[data["bundleId"]?.identifier ?? ""]
        return members.filter { member in
            !member.value.isNull && !Self.isPlain(member.name, settings, entry)
        }.map(\.value.range)
    }

    /// - Parameter settings: of the event's bundle.
    private static func isPlain(
        _ member: String, _ settings: BundleSettings, _ entry: EventCatalogue.Entry?
    ) -> Bool {
        if settings.convention == .account, EventCatalogue.usernames.contains(member) {
            return false
        }
        if tokensArePersonal(settings), EventCatalogue.tokens.contains(member) { return false }
        return entry?.isPlain(member) ?? ["bundleId", "environment"].contains(member)
    }

    private static func tokensArePersonal(_ settings: BundleSettings) -> Bool {
        settings.tokensNameAccounts || settings.convention == .account
    }

    private func plainIdentifier(
        _ member: String, of event: CloudEvent, entry: EventCatalogue.Entry?
    ) -> String? {
        guard let value = event.data?[member] else { return nil }
        let settings = settings[event.data?["bundleId"]?.identifier ?? ""]
        return Self.isPlain(member, settings, entry) ? value.identifier : nil
    }

    // MARK: The row

    /// The event with its typed keys: what the producer named, else what was signed.
    func newEvent(
        source: String, id: String, type: String, subject: String?, time: Int64?,
        receivedAt: Int64, received: [UInt8], personal: [Range<Int>], parts: EvidenceParts,
        named: (String) -> String?
    ) -> NewEvent {
        func key(_ member: String) -> [UInt8]? {
            (named(member) ?? parts.verifiedMember(member)).map { Array($0.utf8) }
        }
        let order = OrderNumber.read(named("orderNumber") ?? named("applicationUsername"))
        let encodedParts = parts.encoded()
        let keys = EventKeys(
            orderNumber: order.map { Array($0.utf8) }, transactionId: key("transactionId"),
            originalTransactionId: key("originalTransactionId"), bundleId: key("bundleId"),
            environment: key("environment"))
        return NewEvent(
            source: source, id: id, type: type, subject: subject, time: time,
            receivedAt: receivedAt, actor: actor, keys: keys, received: received,
            personal: personal, evidence: parts.evidence, parts: encodedParts,
            personalInParts: personalTokens(in: encodedParts, bundle: named("bundleId")))
    }

    /// What names a person in payloads: tokens where the bundle's setting says so, and devices.
    func personalTokens(in parts: [UInt8], bundle: String?) -> [Range<Int>] {
        guard !parts.isEmpty, let elements = try? JSONValue(parsing: parts).array else {
            return []
        }
        // Renewal info names no bundle: what came with it does.
        let around = elements.lazy.compactMap { Self.bundle(of: $0["payload"]) }.first ?? bundle
        return elements.flatMap { element in
            element["payload"].map { personalMembers(anywhereIn: $0, bundle: around) } ?? []
        }
    }

    /// The same at any depth of one of Apple's JSON texts.
    func personalMembers(anywhereIn json: JSONValue, bundle: String?) -> [Range<Int>] {
        let tokens = tokensArePersonal(of: Self.bundle(of: json) ?? bundle)
        var found: [Range<Int>] = []
        func search(_ value: JSONValue) {
            for element in value.array ?? [] { search(element) }
            for member in value.members ?? [] where !member.value.isNull {
                let isToken = EventCatalogue.tokens.contains(member.name)
                if EventCatalogue.devices.contains(member.name) || (isToken && tokens) {
                    found.append(member.value.range)
                } else {
                    search(member.value)
                }
            }
        }
        search(json)
        return found
    }

    private static func bundle(of payload: JSONValue?) -> String? {
        let places = [["bundleId"], ["data", "bundleId"], ["bid"], ["receipt", "bundle_id"]]
        return places.lazy.compactMap { names in
            names.reduce(payload) { $0?[$1] }?.identifier
        }.first
    }

    /// Where nothing tells whose the token is, any bundle's setting counts.
    private func tokensArePersonal(of bundle: String?) -> Bool {
        guard let bundle else {
            return settings.bundles.values.contains(where: Self.tokensArePersonal)
        }
        return Self.tokensArePersonal(settings[bundle])
    }
}
