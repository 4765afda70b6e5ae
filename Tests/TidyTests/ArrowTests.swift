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
        let pattern =
            #/^(?:(?:public|package|internal|private|fileprivate|@\w+)\s+)*import\s+(?:(?:struct|enum|class|protocol|func|var)\s+)?(\w+)/#
        return Set(
            file.lines.filter { $0.contains("import ") }.compactMap { line in
                (try? pattern.firstMatch(in: line)).map { String($0.1) }
            })
    }
}
