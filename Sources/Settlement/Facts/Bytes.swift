/// Whether two identities are the same bytes (`==` would fold canonically equivalent ones).
func sameBytes(_ left: String, _ right: String) -> Bool {
    left == right && compareBytes(left, right) == 0
}

/// The same for identities that may be missing: two missing ones are not the same.
func sameBytes(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return false }
    return sameBytes(left, right)
}

/// Whether an identity stands before another in the order of their bytes.
func bytesPrecede(_ left: String, _ right: String) -> Bool { compareBytes(left, right) < 0 }

/// Less than, equal to or greater than 0, as the bytes of one text compare with those of another.
///
/// A plain loop over the bytes: it stands under every look-up, and the generic algorithms over
/// `utf8` are slow where they are not specialised.
private func compareBytes(_ left: String, _ right: String) -> Int {
    var left = left
    var right = right
    return left.withUTF8 { a in
        right.withUTF8 { b in
            let count = min(a.count, b.count)
            var index = 0
            while index < count {
                if a[index] != b[index] { return a[index] < b[index] ? -1 : 1 }
                index += 1
            }
            return a.count - b.count
        }
    }
}
