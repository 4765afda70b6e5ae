internal import Cryptography

/// What ties a receipt to one device: SHA-1 over the device's identifier, attribute 4 and attribute
/// 2.
struct DeviceHash {
    let opaqueValue: [UInt8]
    /// The bundle identifier with its ASN.1 tag and length.
    let bundle: [UInt8]
    let hash: [UInt8]

    /// Whether the receipt was made for the device with this identifier.
    func isOf(_ device: DeviceIdentifier) -> Bool {
        SHA1.hash(device.bytes + opaqueValue + bundle) == hash
    }
}

/// What a device gives as its identifier: 16 bytes of `identifierForVendor`, or the 6 bytes of a
/// Mac's primary network address.
public struct DeviceIdentifier: Sendable, Hashable {
    let bytes: [UInt8]

    /// Reads a UUID with or without hyphens, or a network address with or without colons. `nil` for
    /// anything else.
    public init?(_ text: String) {
        let digits = text.filter { $0 != "-" && $0 != ":" }
        guard let bytes = Hexadecimal.decode(digits), [16, 6].contains(bytes.count) else {
            return nil
        }
        self.bytes = bytes
    }
}
