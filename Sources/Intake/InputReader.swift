internal import Glibc
internal import JSON

/// One thing that stood in a file: a line, or the whole.
package struct InputItem: Sendable {
    /// What stood there, without the white space around it.
    package let bytes: [UInt8]
    /// The line on which it begins, from 1.
    package let line: Int
    /// Longer than `InputReader.itemBytesMax`; `bytes` is empty then.
    package var isTooLarge = false
}

/// A place between two items of a file.
package struct InputPlace: Sendable, Equatable {
    /// How many bytes stand before it.
    package var offset: Int64 = 0
    /// The line that begins there, from 1.
    package var line = 1
}

/// Cuts a file into items with bounded memory: NDJSON and lists of JWS by lines; one JSON document
/// over several lines, and anything that is not text in lines, as a whole.
package struct InputReader: ~Copyable {
    /// Longest item, in bytes.
    package static let itemBytesMax = 16 << 20

    private static let chunkBytes = 1 << 18

    private let descriptor: Int32
    private let closesDescriptor: Bool
    private var buffer: [UInt8] = []
    private var start = 0
    /// How many bytes of the file were taken out of the buffer.
    private var removed: Int64 = 0
    private var isAtEnd = false
    private var line = 1
    private var readsLines: Bool

    /// Opens the file; `-` is standard input.
    /// - Parameter byLines: every line is an item, whatever it holds.
    /// - Throws: `InputError` with the system's own words.
    package init(path: String, byLines: Bool = false) throws(InputError) {
        readsLines = byLines
        if path == "-" {
            descriptor = STDIN_FILENO
            closesDescriptor = false
            return
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        closesDescriptor = true
        guard descriptor >= 0 else { throw InputError(reason: String(cString: strerror(errno))) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw InputError(reason: "is a folder")
        }
    }

    deinit {
        if closesDescriptor, descriptor >= 0 { close(descriptor) }
    }

    /// Goes on at a place between two lines, before anything was read.
    /// - Throws: `InputError` with the system's own words.
    package mutating func go(to place: InputPlace) throws(InputError) {
        guard lseek(descriptor, off_t(place.offset), SEEK_SET) >= 0 else {
            throw InputError(reason: String(cString: strerror(errno)))
        }
        removed = place.offset
        line = place.line
        readsLines = true
    }

    /// The next item, or `nil` at the end of the file.
    package mutating func next() throws(InputError) -> InputItem? {
        if readsLines { return try nextLine() }
        readsLines = true
        try skipByteOrderMark()
        guard let first = try nextLine() else { return nil }
        guard !first.isTooLarge, try spansLines(first) else { return first }
        return try whole(from: first) ?? first
    }

    /// Whether the next item has not come yet: whoever writes into this pipe may take his time.
    package var mustWait: Bool {
        guard !isAtEnd, lineEnd(from: start) == nil else { return false }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 0
    }

    /// All that stands in the file, cut off after `bytesMax` and one more byte.
    package static func contents(of path: String, bytesMax: Int) throws(InputError) -> [UInt8] {
        var reader = try InputReader(path: path)
        while !reader.isAtEnd, reader.buffer.count <= bytesMax { try reader.fill() }
        return Array(reader.buffer.prefix(bytesMax + 1))
    }

    // MARK: The file

    /// How many bytes the file has; 0 for what is not a file.
    package var size: Int64 { status.map { Int64($0.st_size) } ?? 0 }

    /// Up to where the items go that were handed out.
    package var place: InputPlace { InputPlace(offset: removed + Int64(start), line: line) }

    /// What tells the file from any other, and from itself after a change: where it lies, its size,
    /// the instants of its last change (a program may set the one of its content back, but not that
    /// of its inode), and its first bytes. `nil` for what is not a file.
    package func identity() throws(InputError) -> [UInt8]? {
        guard let status else { return nil }
        let numbers = [
            Int64(bitPattern: UInt64(status.st_dev)), Int64(bitPattern: UInt64(status.st_ino)),
            Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
            Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec),
        ]
        var bytes = numbers.flatMap { number in
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
        var first = [UInt8](repeating: 0, count: 65_536)
        let count = pread(descriptor, &first, first.count, 0)
        guard count >= 0 else { throw InputError(reason: String(cString: strerror(errno))) }
        bytes += first[..<count]
        return bytes
    }

    private var status: stat? {
        var status = stat()
        guard closesDescriptor, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return status
    }

    // MARK: Lines

    /// The next line that is not blank.
    private mutating func nextLine() throws(InputError) -> InputItem? {
        while true {
            let lineNumber = line
            guard let bytes = try takeLine() else { return nil }
            line += 1
            guard let bytes else { return InputItem(bytes: [], line: lineNumber, isTooLarge: true) }
            let trimmed = Self.trimmed(bytes)
            if !trimmed.isEmpty { return InputItem(bytes: trimmed, line: lineNumber) }
        }
    }

    /// The bytes up to the next line end: `nil` at the end, an inner `nil` for a line too long,
    /// which is skipped.
    private mutating func takeLine() throws(InputError) -> [UInt8]?? {
        // How many bytes after `start` are known to hold no line end.
        var searched = 0
        var isTooLong = false
        while true {
            if let end = lineEnd(from: start + searched) {
                defer { start = end + 1 }
                return .some(isTooLong ? nil : line(upTo: end))
            }
            if isAtEnd {
                guard start < buffer.count || isTooLong else { return nil }
                defer { start = buffer.count }
                return .some(isTooLong ? nil : line(upTo: buffer.count))
            }
            searched = buffer.count - start
            if searched > Self.itemBytesMax || isTooLong {
                isTooLong = true
                start = buffer.count
                searched = 0
            }
            try fill()
        }
    }

    /// What stands before `end`, unless it is too long.
    private func line(upTo end: Int) -> [UInt8]? {
        end - start > Self.itemBytesMax ? nil : Array(buffer[start..<end])
    }

    private func lineEnd(from offset: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, offset < bytes.count,
                let found = memchr(base + offset, 10, bytes.count - offset)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    // MARK: Documents

    /// Whether the first line is only the beginning of something: an unfinished JSON text, or
    /// neither JSON nor JWS.
    private mutating func spansLines(_ first: InputItem) throws(InputError) -> Bool {
        guard let byte = first.bytes.first else { return false }
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
            do {
                _ = try JSONValue(parsing: first.bytes)
                return false
            } catch {
                return error.reason == .unexpectedEnd
            }
        }
        return !Self.looksLikeJWS(first.bytes)
    }

    /// The rest of the file with the first line, if that is one document; otherwise what was read
    /// is left to be cut into lines.
    private mutating func whole(from first: InputItem) throws(InputError) -> InputItem? {
        while !isAtEnd, buffer.count - start <= Self.itemBytesMax { try fill() }
        let isDocument = isDocument(first)
        guard isAtEnd, first.bytes.count + buffer.count - start <= Self.itemBytesMax else {
            guard isDocument else { return nil }
            while !isAtEnd {
                start = buffer.count
                try fill()
            }
            start = buffer.count
            return InputItem(bytes: [], line: first.line, isTooLarge: true)
        }
        let document = Self.trimmed(first.bytes + [10] + buffer[start...])
        if !isDocument, (try? JSONValue(parsing: document)) == nil { return nil }
        start = buffer.count
        return InputItem(bytes: document, line: first.line)
    }

    /// Whether what begins with this line can be nothing but one document, whole or broken: in a
    /// file of lines the next one begins anew.
    private func isDocument(_ first: InputItem) -> Bool {
        let openings = Array("{[".utf8)
        guard let byte = first.bytes.first, openings.contains(byte), first.bytes.count > 1 else {
            return true
        }
        let next = buffer[start...].first { !Self.isBlank($0) }
        return !(openings + Array("e".utf8)).contains { $0 == next }
    }

    // MARK: Bytes

    private mutating func fill() throws(InputError) {
        if start > Self.chunkBytes {
            buffer.removeFirst(start)
            removed += Int64(start)
            start = 0
        }
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        let count = read(descriptor, &chunk, chunk.count)
        guard count >= 0 else {
            if errno == EINTR { return }
            throw InputError(reason: String(cString: strerror(errno)))
        }
        if count == 0 { isAtEnd = true }
        buffer += chunk[..<count]
    }

    private mutating func skipByteOrderMark() throws(InputError) {
        while !isAtEnd, buffer.count < 3 { try fill() }
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    }

    private static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
        guard let first = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return Array(bytes[first...last])
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    /// Three or more runs of base64url between points.
    private static func looksLikeJWS(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: Array("ey".utf8))
            && bytes.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122: true
                case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "="):
                    true
                default: false
                }
            } && bytes.contains(UInt8(ascii: "."))
    }
}

/// A file that could not be opened or read.
package struct InputError: Error, Sendable {
    /// The system's own words, without the file's name.
    package let reason: String
}
