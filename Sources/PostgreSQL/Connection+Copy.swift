import CPostgreSQL

extension Connection {
    /// `COPY … FROM STDIN (FORMAT binary)`. Gives the number of rows written. When `write` throws,
    /// the COPY fails as a whole, the connection stays usable, and the error is thrown on. `write`
    /// must not use the connection.
    public func copyIn(
        _ statement: Statement, _ write: (inout CopyWriter) throws -> Void
    ) throws -> Int {
        let handle = try beginCopy(statement, PGRES_COPY_IN)
        defer { isBusy = false }
        var writer = CopyWriter(handle, place: statement.name)
        do {
            try write(&writer)
            try checkNotCancelled()
            try writer.finish()
        } catch {
            let reason = endCopyIn(handle, place: statement.name)
            // The server's own reason, if it was there first, says more than a broken socket.
            if let lost = error as? PostgreSQLError, lost.code == .connectionLost, let reason {
                throw reason
            }
            throw error
        }
        return try finishCopyIn(handle, place: statement.name)
    }

    /// `COPY … TO STDOUT (FORMAT binary)`, row by row. When `each` throws, the rest is cancelled
    /// and discarded, and the error is thrown on. `each` must not use the connection.
    public func copyOut(_ statement: Statement, _ each: (Row) throws -> Void) throws {
        let handle = try beginCopy(statement, PGRES_COPY_OUT)
        defer { isBusy = false }
        do {
            try receiveCopy(handle, place: statement.name, each)
        } catch {
            cancelHere(handle)
            endCopy(PGRES_COPY_OUT, on: handle)
            drain(handle)
            throw error
        }
        // The command's own result comes after the last row.
        _ = try collect(from: handle, place: statement.name)
    }

    private func beginCopy(
        _ statement: Statement, _ direction: ExecStatusType
    ) throws -> ConnectionHandle {
        let handle = try ready(statement.name)
        let sent = PQsendQuery(handle.pointer, statement.sql)
        let result = try collect(sent, from: handle, place: statement.name)
        guard PQresultStatus(result.pointer) == direction, PQbinaryTuples(result.pointer) == 1
        else {
            drain(handle)
            throw PostgreSQLError(.notABinaryCopy, place: statement.name)
        }
        isBusy = true
        return handle
    }

    private func finishCopyIn(_ handle: ConnectionHandle, place: String) throws -> Int {
        guard PQputCopyEnd(handle.pointer, nil) == 1 else {
            throw handle.lost(place)
        }
        let result = try collect(from: handle, place: place)
        return Rows(result: result).affectedCount
    }

    /// Ends a COPY as failed, and gives the server's error if that is not the answer to this end.
    private func endCopyIn(_ handle: ConnectionHandle, place: String) -> PostgreSQLError? {
        guard PQputCopyEnd(handle.pointer, "abandoned") == 1 else { return handle.lost(place) }
        do {
            _ = try collect(from: handle, place: place)
            return nil
        } catch let error as PostgreSQLError {
            return error.code == .queryCancelled ? nil : error
        } catch {
            return nil
        }
    }

    private func receiveCopy(
        _ handle: ConnectionHandle, place: String, _ each: (Row) throws -> Void
    ) throws {
        var isFirst = true
        while true {
            try checkNotCancelled()
            var text: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(handle.pointer, &text, 0)
            guard count > 0, let text else { return }
            let bytes = UnsafeMutableRawBufferPointer(start: text, count: Int(count))
            // The header has 19 bytes, and comes alone or before the first row.
            let start = isFirst ? min(19, bytes.count) : 0
            isFirst = false
            if start == bytes.count {
                PQfreemem(text)
                continue
            }
            if let row = try CopiedRow(bytes, from: start, place: place) {
                try each(Row(source: .copied(row)))
            }
        }
    }

    /// Ends a COPY that nobody wants any more.
    func endCopy(_ status: ExecStatusType, on handle: ConnectionHandle) {
        if status == PGRES_COPY_IN {
            _ = PQputCopyEnd(handle.pointer, "abandoned")
            return
        }
        var text: UnsafeMutablePointer<CChar>?
        while PQgetCopyData(handle.pointer, &text, 0) > 0 { PQfreemem(text) }
    }
}
