internal import Cryptography
internal import JSON

/// Checks the tokens of requests as Apple does ("Generating JSON Web Tokens for API requests"):
/// `ES256` by the issued key, from its issuer, for the API, for an app of the world, and valid now
/// for no more than an hour in all.
struct TokenVerifier: Sendable {
    static let audience = "appstoreconnect-v1"
    /// Longest lifetime, in seconds.
    static let lifetimeMax: Int64 = 3600
    /// How far the client's clock may be ahead, in seconds.
    static let clockSkewMax: Int64 = 60

    let key: ServerAPIKey
    let bundles: Set<String>

    /// The app that the value of `Authorization` speaks for, at `now` (seconds since 1970 UTC);
    /// `nil` for every value that Apple would answer with 401.
    func bundle(authorization: String?, now: Int64) -> String? {
        guard let authorization, authorization.utf8.count <= 4096 else { return nil }
        let words = authorization.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        let parts = words[1].utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false
        ).map(Array.init)
        guard parts.count == 3, let signature = Base64.decodeURL(parts[2]),
            let header = object(parts[0]), let claims = object(parts[1]),
            header["alg"]?.string == "ES256", header["kid"]?.string == key.keyId,
            key.verifies(signature: signature, over: parts[0] + [UInt8(ascii: ".")] + parts[1])
        else { return nil }
        return bundle(claims, now: now)
    }

    private func object(_ segment: [UInt8]) -> JSONValue? {
        Base64.decodeURL(segment).flatMap { try? JSONValue(parsing: $0) }
    }

    private func bundle(_ claims: JSONValue, now: Int64) -> String? {
        guard claims["iss"]?.string == key.issuerId, claims["aud"]?.string == Self.audience,
            let bundle = claims["bid"]?.string, bundles.contains(bundle),
            let expires = instant(claims["exp"]), now < expires,
            expires <= now + Self.lifetimeMax + Self.clockSkewMax
        else { return nil }
        // Apple's own Python client leaves `iat` out, though its documentation asks for it.
        guard let member = claims["iat"] else { return bundle }
        guard let issued = instant(member), issued <= now + Self.clockSkewMax,
            expires - Self.lifetimeMax <= issued
        else { return nil }
        return bundle
    }

    /// Seconds since 1970 UTC: a number, not a text.
    private func instant(_ claim: JSONValue?) -> Int64? {
        guard case .number(let text)? = claim?.content else { return nil }
        return Int64(text)
    }
}
