import Foundation
import PackagePlugin

/// Turns the SQL files of `schema/` into constants of the target that uses this plugin.
@main
struct EmbedSchema: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let schema = context.package.directoryURL.appending(path: "schema")
        let output = context.pluginWorkDirectoryURL.appending(path: "Schema.swift")
        let files = FileManager.default.enumerator(at: schema, includingPropertiesForKeys: nil)
        let inputs = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "sql" }
        return [
            .buildCommand(
                displayName: "Embedding schema",
                executable: try context.tool(named: "embed-schema").url,
                arguments: [schema, output].map { $0.path(percentEncoded: false) },
                inputFiles: inputs + [schema],
                outputFiles: [output])
        ]
    }
}
