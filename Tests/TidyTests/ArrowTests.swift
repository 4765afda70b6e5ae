import Testing

@Suite("The arrows between the rooms")
struct ArrowTests {
    /// Modules of the toolchain and the system, which no manifest declares.
    private static let toolchain: Set<String> = [
        "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Testing",
    ]

    @Test("every file imports only what its target declares")
    func importsAreDeclared() throws {
        let manifest = try Manifest()
        for file in try Repository.swiftFiles(in: "Sources") + Repository.swiftFiles(in: "Tests") {
            let target = try #require(manifest.target(of: file.path))
            let declared = try #require(manifest.dependencies[target], "\(target) is not declared")
            let undeclared = imports(of: file).subtracting(declared).subtracting(Self.toolchain)
            #expect(undeclared.isEmpty, "\(file.path) imports \(undeclared.sorted())")
        }
    }

    @Test("every declared arrow is used by some file")
    func declaredArrowsAreUsed() throws {
        let manifest = try Manifest()
        var used: [String: Set<String>] = [:]
        for file in try Repository.swiftFiles(in: "Sources") + Repository.swiftFiles(in: "Tests") {
            let target = try #require(manifest.target(of: file.path))
            used[target, default: []].formUnion(imports(of: file))
        }
        for (target, imported) in used {
            let unused = manifest.dependencies[target, default: []].subtracting(imported)
            #expect(unused.isEmpty, "\(target) declares and never imports \(unused.sorted())")
        }
    }

    @Test("Foundation, with all its weight, stays out of what is shipped")
    func noFoundation() throws {
        for file in try Repository.swiftFiles(in: "Sources") {
            #expect(!imports(of: file).contains("Foundation"), "\(file.path)")
        }
    }

    @Test("the rooms of the domain know neither clock, file nor database")
    func pureRooms() throws {
        for room in ["JSON", "AppStoreModel", "Settlement"] {
            for file in try Repository.swiftFiles(in: "Sources/\(room)") {
                let impure = imports(of: file).intersection(Self.toolchain)
                #expect(impure.isEmpty, "\(file.path) imports \(impure.sorted())")
            }
        }
    }

    private func imports(of file: Repository.File) -> Set<String> {
        Set(file.lines.compactMap(module))
    }

    /// The module that a line imports: `@testable import A`, `internal import struct A.B`.
    private func module(of line: String) -> String? {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"),
            words[..<place].allSatisfy({ Self.modifiers.contains($0) || $0.hasPrefix("@") })
        else { return nil }
        let name = words[(place + 1)...].first { !Self.kinds.contains($0) }
        return name?.split(separator: ".").first.map(String.init)
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "private", "fileprivate",
    ]
    private static let kinds: Set<Substring> = [
        "struct", "enum", "class", "protocol", "func", "var",
    ]

    @Test("a module is read from every form of import")
    func forms() {
        #expect(module(of: "import A") == "A")
        #expect(module(of: "@testable internal import A") == "A")
        #expect(module(of: "public import struct A.B") == "A")
        #expect(module(of: "/// what they import themselves") == nil)
    }
}
