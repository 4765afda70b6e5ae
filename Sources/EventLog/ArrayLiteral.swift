internal import Cryptography

/// The text of a `bytea[]`, as PostgreSQL reads it.
func arrayLiteral(_ digests: [[UInt8]]) -> String {
    "{" + digests.map { "\"\\\\x\(Hexadecimal.encode($0))\"" }.joined(separator: ",") + "}"
}

/// The text of an `int[]`, as PostgreSQL reads it.
func arrayLiteral(_ places: [EvidencePlace]) -> String {
    "{" + places.map { String($0.number) }.joined(separator: ",") + "}"
}
