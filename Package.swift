// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// A room of the house: a library target under `Sources/`, with the rooms below it.
func room(_ name: String, uses: [Target.Dependency] = [], plugins: [Target.PluginUsage] = [])
    -> Target
{
    .target(name: name, dependencies: uses, swiftSettings: strict, plugins: plugins)
}

func tests(_ name: String, uses: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: uses, swiftSettings: strict)
}

let package = Package(
    name: "quittance",
    products: [
        .executable(name: "quittance", targets: ["quittance"]),
        .executable(name: "quittance-simulator", targets: ["quittance-simulator"]),
    ],
    targets: [
        // C libraries of the system, seen through module maps.
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

        // The rooms, from the ground up. An arrow may only point down.
        room("JSON"),
        room("PostgreSQL", uses: ["CPostgreSQL"], plugins: ["EmbedSchema"]),
        room("Cryptography", uses: ["COpenSSL"]),
        room("AppStoreModel", uses: ["JSON"]),
        room("AppStore", uses: ["AppStoreModel", "Cryptography", "JSON"]),
        room("Settlement", uses: ["AppStoreModel", "JSON"]),
        room("EventLog", uses: ["PostgreSQL", "Cryptography", "JSON"]),
        room(
            "Intake",
            uses: ["EventLog", "AppStore", "AppStoreModel", "Settlement", "Cryptography", "JSON"]),
        room(
            "Projection", uses: ["EventLog", "Settlement", "PostgreSQL", "JSON"]),
        room("Simulator", uses: ["AppStoreModel", "Cryptography", "JSON"]),
        .executableTarget(
            name: "quittance",
            dependencies: [
                "Intake", "Projection", "EventLog", "Settlement", "AppStore", "AppStoreModel",
                "Cryptography", "PostgreSQL", "JSON",
            ], swiftSettings: strict),
        .executableTarget(
            name: "quittance-simulator", dependencies: ["Simulator", "AppStore"],
            swiftSettings: strict),

        // Load for `tools/bench` and `tools/crash-test`.
        .executableTarget(
            name: "bench-load", dependencies: ["EventLog", "PostgreSQL"],
            path: "tools/bench-load", swiftSettings: strict),

        // SQL files of `schema/` become constants of the `PostgreSQL` room.
        .executableTarget(name: "embed-schema", path: "tools/embed-schema", swiftSettings: strict),
        .plugin(
            name: "EmbedSchema", capability: .buildTool(), dependencies: ["embed-schema"],
            path: "tools/EmbedSchema"),

        // Tests.
        .target(
            name: "TestKit",
            dependencies: [
                "PostgreSQL", "EventLog", "AppStoreModel", "Simulator", "JSON",
            ],
            path: "Tests/TestKit", swiftSettings: strict),
        tests("JSONTests", uses: ["JSON"]),
        tests("PostgreSQLTests", uses: ["PostgreSQL", "TestKit"]),
        tests("CryptographyTests", uses: ["Cryptography", "Simulator"]),
        tests(
            "AppStoreTests",
            uses: ["AppStore", "AppStoreModel", "Cryptography", "JSON", "Simulator"]),
        tests("SettlementTests", uses: ["Settlement", "JSON"]),
        tests(
            "EventLogTests", uses: ["EventLog", "PostgreSQL", "Cryptography", "JSON", "TestKit"]),
        tests(
            "IntakeTests",
            uses: [
                "Intake", "EventLog", "AppStore", "Settlement", "PostgreSQL", "JSON", "Simulator",
                "TestKit",
            ]),
        tests(
            "ProjectionTests",
            uses: [
                "Projection", "Intake", "EventLog", "AppStore", "Settlement", "PostgreSQL", "JSON",
                "Simulator", "TestKit",
            ]),
        tests("SimulatorTests", uses: ["Simulator", "AppStore", "JSON"]),
        tests("CommandTests", uses: ["TestKit", "PostgreSQL", "JSON", "Simulator"]),
        tests("TidyTests", uses: []),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer brings its own `main` and instruments all that is built, so for `tools/fuzz` the
// package is the readers and their fuzz targets alone.
if Context.environment["QUITTANCE_FUZZ"] == "1" {
    let readers = ["COpenSSL", "JSON", "Cryptography", "AppStoreModel", "AppStore"]
    package.products = []
    package.targets.removeAll { !readers.contains($0.name) }
    package.targets += [("fuzz-json", "JSON"), ("fuzz-jws", "AppStore")].map { name, reader in
        .executableTarget(
            name: name, dependencies: [.init(stringLiteral: reader)], path: "tools/\(name)",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
    }
}
