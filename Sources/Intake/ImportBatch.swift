internal import AppStore
internal import EventLog
internal import Settlement

/// Some items of a file, on their way into the log.
struct ImportBatch: Sendable {
    /// Most items of one batch.
    static let itemsMax = 256
    /// How many bytes make a batch full, in bytes.
    static let bytesMax = 1 << 20

    /// Most events, or refusals, that are taken together: an item may be an array of very many.
    static let runMax = 512
    /// How many bytes make a run full, in bytes.
    static let runBytesMax = 4 << 20

    /// A thing that stood in an item: an event, or what somebody meant to be one.
    struct Thing: Sendable {
        let bytes: [UInt8]
        let line: Int
        let isTooLarge: Bool
    }

    /// What the things are, in their order.
    enum Step: Sendable {
        /// Events one after the other, and for each its line and what was refused of it.
        case events(PreparedBatch, [Origin])
        case refused([Refusal], lines: [Int])
        case tooLarge(line: Int)
    }

    struct Origin: Sendable {
        let line: Int
        let refusals: [EvidenceRefusal]
    }

    /// What was read, up to the first event that changes the settings, that one included.
    struct Reading: Sendable {
        var steps: [Step] = []
        /// What is to be read by the door of the new settings; `nil` if nothing changes them.
        var rest: [Thing]?
    }

    let things: [Thing]
    /// Up to where the file is read with this batch.
    let end: InputPlace

    /// How many bytes the things have.
    var byteCount: Int { things.reduce(0) { $0 + $1.bytes.count } }

    /// Reads the things: all work that needs neither the log nor the order of the batches.
    static func read(_ things: [Thing], door: Door) throws -> Reading {
        var reading = Reading()
        var run = Run()
        for (index, thing) in things.enumerated() {
            try Task.checkCancellation()
            if thing.isTooLarge {
                try run.end(&reading.steps)
                reading.steps.append(.tooLarge(line: thing.line))
                continue
            }
            switch door.read(thing.bytes) {
            case .event(let event, let refusals):
                if !run.refusals.isEmpty || run.isFull { try run.end(&reading.steps) }
                run.add(event, Origin(line: thing.line, refusals: refusals))
                if Settings.eventTypes.contains(event.type) {
                    try run.end(&reading.steps)
                    reading.rest = Array(things[(index + 1)...])
                    return reading
                }
            case .refused(let refusal):
                if !run.events.isEmpty || run.isFull { try run.end(&reading.steps) }
                run.add(refusal, line: thing.line)
            }
        }
        try run.end(&reading.steps)
        return reading
    }

    /// Events, or refusals, that follow one another.
    private struct Run {
        private(set) var events: [NewEvent] = []
        private(set) var refusals: [Refusal] = []
        private var origins: [Origin] = []
        private var lines: [Int] = []
        private var byteCount = 0

        var isFull: Bool {
            events.count + refusals.count >= runMax || byteCount >= runBytesMax
        }

        mutating func add(_ event: NewEvent, _ origin: Origin) {
            events.append(event)
            origins.append(origin)
            byteCount += event.received.count
        }

        mutating func add(_ refusal: Refusal, line: Int) {
            refusals.append(refusal)
            lines.append(line)
            byteCount += refusal.bytes.count
        }

        mutating func end(_ steps: inout [Step]) throws {
            if !events.isEmpty { steps.append(.events(try PreparedBatch(events), origins)) }
            if !refusals.isEmpty { steps.append(.refused(refusals, lines: lines)) }
            self = Run()
        }
    }
}

extension InputReader {
    /// The next items, as things, as many as are there; `nil` at the end of the file.
    mutating func nextBatch() throws(InputError) -> ImportBatch? {
        var things: [ImportBatch.Thing] = []
        var byteCount = 0
        while things.count < ImportBatch.itemsMax, byteCount < ImportBatch.bytesMax,
            things.isEmpty || !mustWait, let item = try next()
        {
            byteCount += item.bytes.count
            if item.isTooLarge {
                things.append(.init(bytes: [], line: item.line, isTooLarge: true))
                continue
            }
            things += Door.things(in: item.bytes).map {
                .init(bytes: $0, line: item.line, isTooLarge: false)
            }
        }
        return things.isEmpty ? nil : ImportBatch(things: things, end: place)
    }
}
