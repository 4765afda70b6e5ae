internal import Glibc
internal import Synchronization

/// The chains that were found good last, by the bytes of the header they came in.
///
/// Apple signs with few certificates at a time, so nearly every signature finds its chain here. A
/// hit still has to be valid at the instant asked for; otherwise the path is built anew, since
/// another anchor may serve at that instant.
final class ChainCache: Sendable {
    /// How many chains are kept.
    static let countMax = 32

    private struct Entry {
        let header: [UInt8]
        let chain: SigningChain
    }

    /// The one used last stands first.
    private let entries = Mutex<[Entry]>([])

    /// How many chains there are now.
    var count: Int { entries.withLock { $0.count } }

    func chain(for header: ArraySlice<UInt8>, at instant: Int64) -> SigningChain? {
        entries.withLock { entries in
            guard
                let index = entries.firstIndex(where: {
                    $0.chain.validity.contains(instant) && same($0.header, header)
                })
            else { return nil }
            if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
            return entries[0].chain
        }
    }

    func insert(_ chain: SigningChain, for header: ArraySlice<UInt8>) {
        entries.withLock { entries in
            entries.removeAll { same($0.header, header) }
            entries.insert(Entry(header: Array(header), chain: chain), at: 0)
            if entries.count > Self.countMax { entries.removeLast() }
        }
    }
}

private func same(_ left: [UInt8], _ right: ArraySlice<UInt8>) -> Bool {
    let count = left.count
    guard count == right.count else { return false }
    return left.withUnsafeBytes { left in
        right.withUnsafeBytes { right in
            guard let left = left.baseAddress, let right = right.baseAddress else { return true }
            return memcmp(left, right, count) == 0
        }
    }
}
