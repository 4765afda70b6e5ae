/// A map from an identity to facts, sorted by the bytes of the identity.
///
/// Not a `Dictionary`: Swift's strings are equal when canonically equivalent, and an identity is
/// its bytes, nothing folded.
struct FactsMap<Value: Mergeable>: Mergeable, RandomAccessCollection {
    private(set) var entries: [(key: String, value: Value)] = []

    init() {}
    init(_ key: String, _ value: Value) { entries = [(key, value)] }

    var keys: [String] { entries.map(\.key) }
    var startIndex: Int { 0 }
    var endIndex: Int { entries.count }
    subscript(index: Int) -> (key: String, value: Value) { entries[index] }

    subscript(key: String) -> Value? {
        let index = position(of: key)
        guard index < entries.count, sameBytes(entries[index].key, key) else { return nil }
        return entries[index].value
    }

    /// Joins one more fact about `key`.
    mutating func tell(_ key: String, _ value: Value) {
        let index = position(of: key)
        if index < entries.count, sameBytes(entries[index].key, key) {
            entries[index].value.merge(value)
        } else {
            entries.insert((key, value), at: index)
        }
    }

    mutating func merge(_ other: FactsMap) {
        guard other.count > 8 else {
            for entry in other.entries { tell(entry.key, entry.value) }
            return
        }
        var merged: [(key: String, value: Value)] = []
        merged.reserveCapacity(entries.count + other.entries.count)
        var theirs = other.entries[...]
        for entry in entries {
            while let next = theirs.first, bytesPrecede(next.key, entry.key) {
                merged.append(next)
                theirs.removeFirst()
            }
            merged.append(entry)
            if let next = theirs.first, sameBytes(next.key, entry.key) {
                merged[merged.count - 1].value.merge(next.value)
                theirs.removeFirst()
            }
        }
        entries = merged + theirs
    }

    /// Keeps the first `count` entries.
    mutating func keepFirst(_ count: Int) {
        if entries.count > count { entries.removeLast(entries.count - count) }
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        guard coder.isReading else {
            coder.writeInteger(Int64(entries.count))
            for entry in entries {
                coder.writeString(entry.key)
                var value = entry.value
                try coder.field(&value)
            }
            return
        }
        entries = []
        for _ in 0..<(try coder.readCount()) {
            let key = try coder.readString()
            var value = Value()
            try coder.field(&value)
            entries.append((key, value))
        }
    }

    private func position(of key: String) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if bytesPrecede(entries[middle].key, key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    static func == (left: FactsMap, right: FactsMap) -> Bool {
        left.entries.elementsEqual(right.entries) {
            sameBytes($0.key, $1.key) && $0.value == $1.value
        }
    }
}

/// A set that stays bounded whatever is told: the 64 least by key, and whether there were more.
///
/// Keys are digests, so the 64 least are as good as any 64, and the same in every order.
struct BoundedSet<Value: Mergeable>: Mergeable {
    static var countMax: Int { 64 }

    private(set) var members = FactsMap<Value>()
    private(set) var hasMore = false

    init() {}
    init(_ key: String, _ value: Value) { members = FactsMap(key, value) }

    mutating func merge(_ other: BoundedSet) {
        members.merge(other.members)
        hasMore = hasMore || other.hasMore || members.count > Self.countMax
        members.keepFirst(Self.countMax)
    }

    mutating func code(with coder: inout FactsCoder) throws(FactsError) {
        try coder.field(&members)
        try coder.field(&hasMore)
    }
}
