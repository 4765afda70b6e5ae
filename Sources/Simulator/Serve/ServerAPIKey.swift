internal import Cryptography
internal import JSON

/// The key with which a client of a world's App Store Server API signs its tokens (JWT), as App
/// Store Connect would issue it. It is derived from the world, protects nothing, and lies in its
/// folder.
public struct ServerAPIKey: Sendable {
    /// Ten characters.
    public let keyId: String
    /// A UUID.
    public let issuerId: String
    private let scalar: [UInt8]
    private let privateKey: P256.PrivateKey
    private let publicKey: P256.PublicKey

    /// The key of a world whose Apple has this root certificate.
    public init?(rootDER: [UInt8]) {
        let digest = SHA256.hash(Array("quittance/server-api/".utf8) + rootDER)
        scalar = SHA256.hash(digest)
        guard let privateKey = P256.PrivateKey(scalar: scalar),
            let publicKey = P256.PublicKey(x963: privateKey.x963)
        else { return nil }
        self.privateKey = privateKey
        self.publicKey = publicKey
        let digits = Array(Hexadecimal.encode(digest))
        keyId = String(digits[0..<10]).uppercased()
        issuerId = [10..<18, 18..<22, 22..<26, 26..<30, 30..<42].map { String(digits[$0]) }
            .joined(separator: "-")
    }

    /// The private key as App Store Connect hands it out: PKCS#8 in PEM (RFC 5958, RFC 7468).
    public var pem: String {
        let body = String(
            decoding: Base64.encode(
                Self.privateKeyInfoPrefix + scalar + Self.publicKeyPrefix + privateKey.x963),
            as: UTF8.self)
        let lines = stride(from: 0, to: body.utf8.count, by: 64).map {
            String(body.dropFirst($0).prefix(64))
        }
        return (["-----BEGIN PRIVATE KEY-----"] + lines + ["-----END PRIVATE KEY-----", ""])
            .joined(separator: "\n")
    }

    /// PrivateKeyInfo { 0, { id-ecPublicKey, prime256v1 }, ECPrivateKey { 1, 32 bytes follow } }
    private static let privateKeyInfoPrefix: [UInt8] = [
        0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D,
        0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x04, 0x6D, 0x30,
        0x6B, 0x02, 0x01, 0x01, 0x04, 0x20,
    ]
    /// [1] { BIT STRING of 65 bytes follows }
    private static let publicKeyPrefix: [UInt8] = [0xA1, 0x44, 0x03, 0x42, 0x00]

    // MARK: Tokens

    /// A token for an app.
    /// - Parameters:
    ///   - issuedAt: seconds since 1970 UTC.
    ///   - lifetime: in seconds; Apple accepts 3600 at most.
    public func token(bundleId: String, issuedAt: Int64, lifetime: Int64 = 1200) -> String {
        var header = JSONWriter()
        header.object {
            $0.member("alg", "ES256")
            $0.member("kid", keyId)
            $0.member("typ", "JWT")
        }
        var claims = JSONWriter()
        claims.object {
            $0.member("iss", issuerId)
            $0.member("iat", issuedAt)
            $0.member("exp", issuedAt + lifetime)
            $0.member("aud", TokenVerifier.audience)
            $0.member("bid", bundleId)
        }
        return token(header: header.bytes, claims: claims.bytes)
    }

    /// A token of any content.
    func token(header: [UInt8], claims: [UInt8]) -> String {
        let signed = Base64.encodeURL(header) + [UInt8(ascii: ".")] + Base64.encodeURL(claims)
        let signature = privateKey.signature(digest: SHA256.hash(signed))
        return String(
            decoding: signed + [UInt8(ascii: ".")] + Base64.encodeURL(signature), as: UTF8.self)
    }

    /// Whether the key signed this.
    func verifies(signature: [UInt8], over signed: [UInt8]) -> Bool {
        publicKey.verifies(signature: signature, digest: SHA256.hash(signed))
    }
}

extension ServerAPIKey {
    /// Writes `keys/SubscriptionKey_ID.p8` and `keys/server-api.json`, which names the ids.
    func write(to folder: String) throws(OutputError) {
        let name = "SubscriptionKey_\(keyId).p8"
        let file = try OutputFile("keys/\(name)", in: folder)
        try file.write(Array(pem.utf8))
        try file.flush()
        var json = JSONWriter()
        json.object {
            $0.member("keyId", keyId)
            $0.member("issuerId", issuerId)
            $0.member("privateKey", name)
        }
        let ids = try OutputFile("keys/server-api.json", in: folder)
        try ids.write(line: json.bytes)
        try ids.flush()
    }
}
