internal import AppStore

/// Roots that are trusted beside Apple's.
enum TrustOptions {
    static let trust = Option(
        name: "trust", value: "FILE",
        summary: "a root certificate (PEM or DER) trusted beside Apple's; also QUITTANCE_TRUST",
        isRepeatable: true)

    static func anchors(_ arguments: Arguments) throws -> TrustAnchors {
        let listed = environmentVariable("QUITTANCE_TRUST")?.split(separator: ":").map(String.init)
        return try (arguments.all("trust") + (listed ?? [])).reduce(TrustAnchors.apple) {
            anchors, path in
            let bytes = try FileBytes.read(path: path, bytesMax: 1 << 20)
            guard let extended = anchors.adding(certificates: bytes) else {
                throw CommandFailure(message: "\(path): holds no certificate")
            }
            return extended
        }
    }
}
