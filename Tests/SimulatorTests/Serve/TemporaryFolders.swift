import FoundationEssentials
import Glibc
import Synchronization

/// Folders of this process, which its end removes.
enum TemporaryFolders {
    private static let folders = Mutex<[String]>([])

    static func make() throws -> String {
        let folder =
            FileManager.default.temporaryDirectory.path(percentEncoded: false)
            + "/quittance-served-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let isFirst = folders.withLock { folders in
            folders.append(folder)
            return folders.count == 1
        }
        if isFirst { atexit(removeAll) }
        return folder
    }

    fileprivate static func remove() {
        for folder in folders.withLock({ $0 }) {
            try? FileManager.default.removeItem(atPath: folder)
        }
    }
}

private func removeAll() { TemporaryFolders.remove() }
