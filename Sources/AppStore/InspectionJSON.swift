public import JSON

extension InspectionReport {
    /// The stable JSON form: `kind`, `path` (of nested parts), `verification`, `note`, `payload`
    /// and `nested`.
    public var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Writes the JSON form as one value.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("kind", kind)
            if !path.isEmpty { writer.member("path", path) }
            writer.name("verification")
            verification.write(to: &writer)
            if let note { writer.member("note", note) }
            writer.name("payload")
            if let payload { writer.value(payload) } else { writer.null() }
            writer.name("nested")
            writer.array(nested) { $1.write(to: &$0) }
        }
    }
}

extension Verification {
    /// Writes `status`, `reason`, `verifiedFor` (milliseconds since 1970 UTC), `at` (where that
    /// instant came from), `anchor`, `anchorName` and `signer`; what is not known is `null`.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("status", status.rawValue)
            writer.member("reason", reason?.rawValue)
            writer.member("verifiedFor", verifiedForMilliseconds)
            writer.member("at", instantSource?.rawValue)
            writer.member("anchor", anchor)
            writer.member("anchorName", anchorName)
            writer.member("signer", signer)
        }
    }
}
