internal import AppStore

/// Roots that are trusted beside Apple's.
enum TrustOptions {
    static let trust = Option(
        name: "trust", value: "FILE",
        summary: "a root (PEM or DER) trusted beside Apple's; also QUITTANCE_TRUST=FILE:FILE…",
        isRepeatable: true)

    static func anchors(_ arguments: Arguments) throws -> TrustAnchors {
        let listed = environmentVariable("QUITTANCE_TRUST")?.split(separator: ":").map(String.init)
        return try (arguments.all("trust") + (listed ?? [])).reduce(TrustAnchors.apple) {
            anchors, path in
            do {
                return try anchors.adding(path: path)
            } catch {
                throw CommandFailure(message: "\(path) \(error)")
            }
        }
    }
}
