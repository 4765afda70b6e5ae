internal import COpenSSL

/// Unpredictable bytes for salts and names, from libcrypto's generator.
public enum SecureRandom {
    /// `count` random bytes.
    public static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let isDone = RAND_bytes(buffer.baseAddress, Int32(count)) == 1
            // Without randomness nothing that is to be forgotten may be written.
            precondition(isDone, "the generator of random bytes has failed")
            filled = count
        }
    }
}
