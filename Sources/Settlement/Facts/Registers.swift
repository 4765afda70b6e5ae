/// The earliest stamp told.
struct Earliest: Mergeable {
    var stamp: Stamp?

    init() {}
    init(_ stamp: Stamp?) { self.stamp = stamp }

    mutating func merge(_ other: Earliest) {
        guard let told = other.stamp else { return }
        stamp = min(stamp ?? told, told)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) { try coder.field(&stamp) }
}

/// The earliest and the latest stamp told.
struct Span: Mergeable {
    var first: Stamp?
    var last: Stamp?

    init() {}
    init(_ stamp: Stamp) {
        first = stamp
        last = stamp
    }

    mutating func merge(_ other: Span) {
        if let told = other.first { first = min(first ?? told, told) }
        if let told = other.last { last = max(last ?? told, told) }
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&first)
        try coder.field(&last)
    }
}

/// When one installation told something: by our clock, and by its own counter where it sent one.
struct Moments: Mergeable {
    var span = Span()
    /// The least and greatest `sequence`: the only order that a device's own events have.
    var sequenceFirst: Int64?
    var sequenceLast: Int64?

    init() {}
    init(_ stamp: Stamp, sequence: Int64?) {
        span = Span(stamp)
        sequenceFirst = sequence
        sequenceLast = sequence
    }

    var isTold: Bool { span.first != nil }

    mutating func merge(_ other: Moments) {
        span.merge(other.span)
        if let told = other.sequenceFirst { sequenceFirst = min(sequenceFirst ?? told, told) }
        if let told = other.sequenceLast { sequenceLast = max(sequenceLast ?? told, told) }
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&span)
        try coder.field(&sequenceFirst)
        try coder.field(&sequenceLast)
    }
}

/// What the earliest event that told something said.
struct FirstTold<Value: Fact>: Mergeable {
    var stamp: Stamp?
    var value = Value()

    init() {}
    init(_ value: Value, _ stamp: Stamp) {
        self.stamp = stamp
        self.value = value
    }

    var told: Value? { stamp == nil ? nil : value }

    mutating func merge(_ other: FirstTold) {
        guard let theirs = other.stamp else { return }
        guard let ours = stamp else { return self = other }
        if theirs < ours || (theirs == ours && isSmaller(other.value, value)) { self = other }
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&stamp)
        if stamp != nil { try coder.field(&value) }
    }
}

/// What the latest event that told something said.
struct LastTold<Value: Fact>: Mergeable {
    var stamp: Stamp?
    var value = Value()

    init() {}
    init(_ value: Value, _ stamp: Stamp) {
        self.stamp = stamp
        self.value = value
    }

    var told: Value? { stamp == nil ? nil : value }

    mutating func merge(_ other: LastTold) {
        guard let theirs = other.stamp else { return }
        guard let ours = stamp else { return self = other }
        if theirs > ours || (theirs == ours && isSmaller(other.value, value)) { self = other }
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&stamp)
        if stamp != nil { try coder.field(&value) }
    }
}

/// One event may tell one thing twice (two parts): then the bytes decide.
private func isSmaller<Value: Fact>(_ left: Value, _ right: Value) -> Bool {
    left.coded().lexicographicallyPrecedes(right.coded())
}

/// The greatest number told.
struct Greatest: Mergeable {
    var value: Int64?

    init() {}
    init(_ value: Int64?) { self.value = value }

    mutating func merge(_ other: Greatest) {
        guard let told = other.value else { return }
        value = max(value ?? told, told)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) { try coder.field(&value) }
}

extension String: Fact {
    mutating func code(with coder: inout FactsCoder) throws(FactsError) { try coder.field(&self) }
}

extension Bool: Fact {
    mutating func code(with coder: inout FactsCoder) throws(FactsError) { try coder.field(&self) }
}
