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
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),

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
        room("HTTPServer", uses: ["CMicroHTTPD", "JSON"]),
        room("Simulator", uses: ["AppStoreModel", "Cryptography", "HTTPServer", "JSON"]),
        .executableTarget(
            name: "quittance",
            dependencies: [
                "Intake", "Projection", "EventLog", "Settlement", "AppStore", "AppStoreModel",
                "PostgreSQL", "Cryptography", "JSON",
            ], swiftSettings: strict),
        .executableTarget(
            name: "quittance-simulator", dependencies: ["Simulator", "AppStore", "HTTPServer"],
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
        tests("HTTPServerTests", uses: ["HTTPServer", "JSON"]),
        tests(
            "SimulatorTests",
            uses: [
                "Simulator", "AppStore", "EventLog", "Intake", "Settlement", "HTTPServer",
                "Cryptography", "JSON", "TestKit",
            ]),
        tests(
            "CommandTests", uses: ["TestKit", "PostgreSQL", "Cryptography", "JSON", "Simulator"]),
        tests("TidyTests", uses: []),
    ],
    swiftLanguageModes: [.v6]
)

// What Thread Sanitizer is for: the rooms with threads, and what their tests stand on.
if Context.environment["QUITTANCE_THREADS"] == "1" {
    let threaded = [
        "CPostgreSQL", "COpenSSL", "CMicroHTTPD", "JSON", "PostgreSQL", "Cryptography",
        "AppStoreModel", "AppStore", "Settlement", "EventLog", "Intake", "HTTPServer", "Simulator",
        "TestKit", "embed-schema", "EmbedSchema", "PostgreSQLTests", "EventLogTests",
        "IntakeTests", "HTTPServerTests",
    ]
    package.products = []
    package.targets.removeAll { !threaded.contains($0.name) }
}

// libFuzzer brings its own `main` and instruments all that is built, so for `tools/fuzz` the
// package is the readers and their fuzz targets alone.
if Context.environment["QUITTANCE_FUZZ"] == "1" {
    let readers = ["COpenSSL", "JSON", "Cryptography", "AppStoreModel", "AppStore"]
    package.products = []
    package.targets.removeAll { !readers.contains($0.name) }
    let fuzzTargets: [(name: String, uses: [Target.Dependency])] = [
        ("fuzz-json", ["JSON"]), ("fuzz-jws", ["AppStore"]), ("fuzz-receipt", ["AppStore"]),
        ("fuzz-notification", ["AppStore", "AppStoreModel", "JSON"]),
        ("fuzz-inspect", ["AppStore", "JSON"]),
    ]
    package.targets += fuzzTargets.map { target in
        .executableTarget(
            name: target.name, dependencies: target.uses, path: "tools/\(target.name)",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
    }
}
