public import HTTPServer
internal import JSON

extension AppStoreServer {
    /// Adds the API's paths to a router.
    public func addRoutes(to router: inout Router) {
        addReading(&router)
        addWriting(&router)
    }

    private func addReading(_ router: inout Router) {
        router.on(.get, "/inApps/v1/history/{id}") { [self] request, path in
            try await answer(.history, request, path) { call throws(AppStoreError) in
                try history(call, omitsConsumables: true)
            }
        }
        router.on(.get, "/inApps/v2/history/{id}") { [self] request, path in
            try await answer(.history, request, path) { call throws(AppStoreError) in
                try history(call, omitsConsumables: false)
            }
        }
        router.on(.get, "/inApps/v2/refund/lookup/{id}") { [self] request, path in
            try await answer(.refunds, request, path, refunds)
        }
        router.on(.get, "/inApps/v1/lookup/{id}") { [self] request, path in
            try await answer(.orderLookUp, request, path, order)
        }
        router.on(.get, "/inApps/v1/transactions/{id}") { [self] request, path in
            try await answer(.transactionInfo, request, path, information)
        }
        router.on(.get, "/inApps/v1/subscriptions/{id}") { [self] request, path in
            try await answer(.statuses, request, path, statuses)
        }
        router.on(.post, "/inApps/v1/notifications/history") { [self] request, path in
            try await answer(.notificationHistory, request, path, notifications)
        }
    }

    private func addWriting(_ router: inout Router) {
        router.on(.put, "/inApps/v1/transactions/consumption/{id}") { [self] request, path in
            try await answer(.consumption, request, path) { call throws(AppStoreError) in
                let transaction = try world.transaction(call.id, of: call.bundle)
                guard transaction.type == "Consumable" else {
                    throw .invalidTransactionNotConsumable
                }
                try ConsumptionBody.checkVersion1(try Self.body(call))
                try record(call)
                return HTTPResponse(status: 202)
            }
        }
        router.on(.put, "/inApps/v2/transactions/consumption/{id}") { [self] request, path in
            try await answer(.consumption, request, path) { call throws(AppStoreError) in
                let transaction = try world.transaction(call.id, of: call.bundle)
                guard transaction.ownership == "PURCHASED" else {
                    throw .invalidTransactionTypeNotSupported
                }
                try ConsumptionBody.checkVersion2(try Self.body(call), type: transaction.type)
                try record(call)
                return HTTPResponse(status: 202)
            }
        }
        router.on(.put, "/inApps/v1/transactions/{id}/appAccountToken") { [self] request, path in
            try await answer(.setToken, request, path, setToken)
        }
        router.on(.post, "/inApps/v1/transactions/{id}/finish") { [self] request, path in
            try await answer(.finish, request, path) { call throws(AppStoreError) in
                _ = try world.transaction(call.id, of: call.bundle)
                try record(call)
                return HTTPResponse(status: 200)
            }
        }
    }

    // MARK: Reading

    private func history(_ call: Call, omitsConsumables: Bool) throws(AppStoreError)
        -> HTTPResponse
    {
        let transaction = try world.transaction(call.id, of: call.bundle)
        let query = try HistoryQuery(call.request.target, omitsConsumables: omitsConsumables)
        let page = try query.page(of: world.customersTransactions(transaction))
        return Self.json { json in
            json.member("revision", page.revision)
            json.member("bundleId", call.bundle)
            json.member("appAppleId", world.appAppleIds[call.bundle])
            json.member("environment", "Production")
            json.member("hasMore", page.hasMore)
            json.name("signedTransactions")
            json.array(page.transactions) { $0.string(jws($1)) }
        }
    }

    /// Refunds by the instant of each; a family's revocation is none.
    private func refunds(_ call: Call) throws(AppStoreError) -> HTTPResponse {
        let transaction = try world.transaction(call.id, of: call.bundle)
        let place = try call.request.target.place("revision", .invalidRequestRevision)
        let refunded = world.customersTransactions(transaction).filter(\.isRefunded)
        let ordered = refunded.enumerated().sorted {
            ($0.element.revocationDate ?? 0, $0.offset) < (
                $1.element.revocationDate ?? 0, $1.offset
            )
        }.map(\.element)
        guard place <= ordered.count else { throw .invalidRequestRevision }
        let end = min(ordered.count, place + HistoryQuery.pageMax)
        return Self.json { json in
            json.member("revision", "r\(end)")
            json.member("hasMore", end < ordered.count)
            json.name("signedTransactions")
            json.array(ordered[place..<end]) { $0.string(jws($1)) }
        }
    }

    /// Status 1 is Apple's word for an order id that is not the app's.
    private func order(_ call: Call) throws(AppStoreError) -> HTTPResponse {
        let found = (world.byAppleOrderId[call.id] ?? []).compactMap { id in
            try? world.transaction(id, of: call.bundle)
        }
        return Self.json { json in
            json.member("status", found.isEmpty ? 1 : 0)
            json.name("signedTransactions")
            json.array(found) { $0.string(jws($1)) }
        }
    }

    private func information(_ call: Call) throws(AppStoreError) -> HTTPResponse {
        let transaction = try world.transaction(call.id, of: call.bundle)
        return Self.json { $0.member("signedTransactionInfo", jws(transaction)) }
    }

    private func statuses(_ call: Call) throws(AppStoreError) -> HTTPResponse {
        let transaction = try world.transaction(call.id, of: call.bundle)
        var wanted: Set<Int64> = []
        for text in call.request.target.values("status") {
            guard let status = Int64(text), (1...5).contains(status) else { throw .invalidStatus }
            wanted.insert(status)
        }
        let statuses = SubscriptionStatuses(world: world, bundle: call.bundle, wanted: wanted)
        return .json(statuses.answer(of: world.customersTransactions(transaction), jws: jws))
    }

    private func notifications(_ call: Call) throws(AppStoreError) -> HTTPResponse {
        let query = try NotificationQuery(
            try Self.body(call), call.request.target, now: world.end
        ) { id throws(AppStoreError) in
            try world.transaction(id, of: call.bundle).originalId
        }
        return .json(try query.answer(world.notifications, of: call.bundle))
    }

    // MARK: Writing

    private func setToken(_ call: Call) throws(AppStoreError) -> HTTPResponse {
        let transaction = try world.transaction(call.id, of: call.bundle)
        guard transaction.originalId == transaction.id else { throw .transactionIdNotOriginal }
        guard transaction.ownership == "PURCHASED" else { throw .familyTransactionNotSupported }
        guard let token = try Self.body(call)["appAccountToken"]?.string, Self.isUUID(token) else {
            throw .invalidAppAccountTokenUUID
        }
        try record(call)
        setToken(token, of: transaction)
        return HTTPResponse(status: 200)
    }

    private static func isUUID(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy {
                (48...57).contains($0) || (97...102).contains($0 | 0x20)
            }
    }

    // MARK: Parts

    private static func body(_ call: Call) throws(AppStoreError) -> JSONValue {
        guard let body = try? JSONValue(parsing: call.request.body), body.members != nil else {
            throw .generalBadRequest
        }
        return body
    }

    private static func json(_ members: (inout JSONWriter) -> Void) -> HTTPResponse {
        var writer = JSONWriter()
        writer.object(members)
        return .json(writer.bytes)
    }
}
