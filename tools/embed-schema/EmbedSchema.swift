import Foundation

/// Writes a Swift file with the SQL of a schema folder: `sql/NAME.sql` becomes `Statement.name`,
/// and the folders `NNNN-name/{up,verify}.sql` become `Migration.all`, in the order of their
/// numbers.
@main
struct EmbedSchema {
    static func main() throws {
        guard CommandLine.arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: embed-schema SCHEMA-FOLDER OUTPUT\n".utf8))
            exit(2)
        }
        let schema = URL(filePath: CommandLine.arguments[1])
        let swift = try
            (["// From schema/. Do not edit.", ""] + statements(in: schema) + [""]
            + migrations(in: schema) + [""]).joined(separator: "\n")
        try Data(swift.utf8).write(to: URL(filePath: CommandLine.arguments[2]))
    }

    static func statements(in schema: URL) throws -> [String] {
        let files = try names(in: schema.appending(path: "sql")).filter { $0.hasSuffix(".sql") }
        let members = try files.map { file in
            let name = String(file.dropLast(4))
            let sql = try text(schema.appending(path: "sql").appending(path: file))
            return "    /// `schema/sql/\(file)`\n    package static let \(camelCase(name)) = "
                + "Statement(name: \"\(name)\", sql: \(literal(sql)))"
        }
        return ["extension Statement {"] + members + ["}"]
    }

    static func migrations(in schema: URL) throws -> [String] {
        let folders = try names(in: schema).filter {
            $0.prefix(4).allSatisfy(\.isNumber) && $0.contains("-")
        }
        let members = try folders.map { folder in
            let place = schema.appending(path: folder)
            let up = try text(place.appending(path: "up.sql"))
            let verify = try text(place.appending(path: "verify.sql"))
            return "        Migration(number: \(Int(folder.prefix(4)) ?? 0), name: \"\(folder)\", "
                + "up: \(literal(up)), verify: \(literal(verify))),"
        }
        return [
            "extension Migration {", "    /// Every migration, in order.",
            "    package static let all: [Migration] = [",
        ] + members + ["    ]", "}"]
    }

    static func names(in folder: URL) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) else {
            return []
        }
        return try FileManager.default.contentsOfDirectory(
            atPath: folder.path(percentEncoded: false)
        ).sorted()
    }

    static func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    static func literal(_ text: String) -> String { "###\"\"\"\n\(text)\n\"\"\"###" }

    static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "-")
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.capitalized }
    }
}
