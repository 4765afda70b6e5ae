import CPostgreSQL

extension Connection {
    /// Runs a statement: prepared once per connection, parameters and rows in binary form.
    public func query(_ statement: Statement, _ parameters: [Parameter] = []) throws -> Rows {
        let handle = try ready(statement.name)
        let encoded = try EncodedParameters(parameters, place: statement.name)
        do {
            return try executePrepared(statement, encoded, on: handle)
        } catch let error as PostgreSQLError where error.isStalePlan {
            // DDL of another session; nothing was executed. In a transaction it is too late.
            prepared.forget(statement)
            guard transactionStatus(handle) == PQTRANS_IDLE else { throw error }
            return try executePrepared(statement, encoded, on: handle)
        }
    }

    /// Runs a statement and hands over its rows one by one as they come, however many there are.
    /// `each` must not use the connection. When it throws, the rest is cancelled and discarded.
    public func stream(
        _ statement: Statement, _ parameters: [Parameter] = [], _ each: (Row) throws -> Void
    ) throws {
        let handle = try ready(statement.name)
        let encoded = try EncodedParameters(parameters, place: statement.name)
        let entry = try prepare(statement, types: encoded.types, on: handle)
        guard send(entry, encoded, on: handle) == 1, PQsetSingleRowMode(handle.pointer) == 1 else {
            throw handle.lost(statement.name)
        }
        isBusy = true
        defer { isBusy = false }
        do {
            try receive(statement, columns: entry.columns, from: handle, each)
        } catch {
            if let error = error as? PostgreSQLError, error.isStalePlan {
                prepared.forget(statement)
            }
            // Only a statement that still runs is asked to stop; then all that is left is read.
            if PQtransactionStatus(handle.pointer) == PQTRANS_ACTIVE { cancelHere(handle) }
            drain(handle)
            throw error
        }
    }

    private func receive(
        _ statement: Statement, columns: Columns?, from handle: ConnectionHandle,
        _ each: (Row) throws -> Void
    ) throws {
        var columns = columns
        while let pointer = PQgetResult(handle.pointer) {
            let result = try take(pointer, from: handle, columns: columns, place: statement.name)
            columns = result.columns
            for row in Rows(result: result) {
                try checkNotCancelled()
                try each(row)
            }
        }
    }

    private func send(
        _ entry: PreparedStatements.Entry, _ encoded: EncodedParameters,
        on handle: ConnectionHandle
    ) -> Int32 {
        encoded.withPointers { values, lengths, formats in
            PQsendQueryPrepared(
                handle.pointer, entry.name, encoded.count, values, lengths, formats, 1)
        }
    }

    private func executePrepared(
        _ statement: Statement, _ encoded: EncodedParameters, on handle: ConnectionHandle
    ) throws -> Rows {
        let entry = try prepare(statement, types: encoded.types, on: handle)
        let sent = send(entry, encoded, on: handle)
        let collected = try collect(
            sent, from: handle, columns: entry.columns, place: statement.name)
        let result = try success(collected, on: handle)
        if entry.columns == nil { prepared.remember(result.columns, of: statement) }
        return Rows(result: result)
    }

    private func prepare(
        _ statement: Statement, types: [UInt32], on handle: ConnectionHandle
    ) throws -> PreparedStatements.Entry {
        if let entry = prepared.entry(for: statement, types: types) { return entry }
        prepared.makeRoom()
        try deallocateDiscarded(on: handle)
        let name = prepared.newName(for: statement)
        let sent = PQsendPrepare(
            handle.pointer, name, statement.sql, Int32(types.count), types)
        _ = try collect(sent, from: handle, place: statement.name)
        prepared.insert(statement, name: name, types: types)
        return PreparedStatements.Entry(
            name: name, sql: statement.sql, types: types, columns: nil, usedAt: 0)
    }

    /// Not in a transaction, which an error here would end.
    private func deallocateDiscarded(on handle: ConnectionHandle) throws {
        guard transactionStatus(handle) == PQTRANS_IDLE else { return }
        for name in prepared.takeDiscarded() {
            do {
                try execute(
                    "deallocate \(quotedIdentifier(name))", on: handle, place: "deallocate")
            } catch let error as PostgreSQLError where error.code == .invalidStatementName {
                continue  // DISCARD or DEALLOCATE ALL was there first
            }
        }
    }

    /// Reads and frees every result that is still to come.
    func drain(_ handle: ConnectionHandle) {
        while let result = PQgetResult(handle.pointer) {
            let status = PQresultStatus(result)
            PQclear(result)
            if status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH {
                endCopy(status, on: handle)
            }
            // A broken connection has nothing more to say, but may repeat that for ever.
            if !handle.isOpen { return }
        }
    }

    /// Cancels the statement under way from the connection's own thread.
    func cancelHere(_ handle: ConnectionHandle) {
        guard let cancel = PQgetCancel(handle.pointer) else { return }
        defer { PQfreeCancel(cancel) }
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            _ = PQcancel(cancel, text.baseAddress, Int32(text.count))
        }
    }
}
