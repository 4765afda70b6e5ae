internal import Cryptography
internal import FoundationEssentials

/// The roots by which a chain can be trusted.
///
/// Of Apple's roots the code holds only fingerprints; the certificate itself comes with the
/// evidence or from a configured file. A certificate that is not pinned is an anchor only when
/// configured.
public struct TrustAnchors: Sendable {
    /// SHA-256 fingerprints of roots that may come with the evidence.
    let pinned: Set<[UInt8]>
    /// Roots that were configured.
    let configured: [Certificate]

    /// Apple Root CA - G3, Apple Root CA and Apple Root CA - G2
    /// (https://www.apple.com/certificateauthority/).
    public static let apple = TrustAnchors(
        pinned: Set(
            [
                "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179",
                "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024",
                "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050",
            ].compactMap(Hexadecimal.decode)), configured: [])

    /// No root at all.
    public static let none = TrustAnchors(pinned: [], configured: [])

    /// How many bytes a file of roots may have.
    public static let fileBytesMax = 1 << 20
    /// How many roots may be configured.
    public static let configuredMax = 64

    /// These roots and those of a file's content: one in DER, or any number in PEM.
    public func adding(_ bytes: [UInt8]) throws(TrustAnchorError) -> TrustAnchors {
        guard bytes.count <= Self.fileBytesMax else { throw .tooLarge }
        let certificates = Certificate.all(inFile: bytes)
        guard !certificates.isEmpty else { throw .noCertificate }
        guard certificates.allSatisfy(\.isSelfIssued) else { throw .notARoot }
        guard configured.count + certificates.count <= Self.configuredMax else {
            throw .tooMany
        }
        return TrustAnchors(pinned: pinned, configured: configured + certificates)
    }

    /// These roots and those of a file, or of every file in a folder whose name ends in `.pem`,
    /// `.der`, `.cer` or `.crt`.
    public func adding(path: String) throws(TrustAnchorError) -> TrustAnchors {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .unreadable
        }
        guard isFolder else { return try adding(try Self.content(path)) }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw .unreadable
        }
        var anchors = self
        for name in names.sorted() where Self.isCertificateName(name) {
            anchors = try anchors.adding(try Self.content("\(path)/\(name)"))
        }
        return anchors
    }

    private static func isCertificateName(_ name: String) -> Bool {
        [".pem", ".der", ".cer", ".crt"].contains { name.lowercased().hasSuffix($0) }
    }

    private static func content(_ path: String) throws(TrustAnchorError) -> [UInt8] {
        guard let handle = FileManager.default.contents(atPath: path) else { throw .unreadable }
        return [UInt8](handle)
    }

    /// The certificate with which a chain may end: what is configured, and `offered` if it is
    /// pinned.
    func candidates(offered: Certificate?) -> [Certificate] {
        guard let offered, pinned.contains(offered.fingerprint) else { return configured }
        return configured + [offered]
    }
}

/// Why a file cannot serve as a root.
public enum TrustAnchorError: String, Error, Sendable, CustomStringConvertible {
    case unreadable = "cannot be read"
    case tooLarge = "is longer than 1 MiB"
    case tooMany = "brings more than 64 roots"
    case noCertificate = "holds no certificate, or one that cannot be read"
    case notARoot = "holds a certificate that is not a root: only roots can be trusted"

    /// Goes on after the file's name.
    public var description: String { rawValue }
}
