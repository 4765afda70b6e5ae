internal import Glibc
internal import Simulator

/// `run`: makes a world and writes it below a folder.
struct RunCommand {
    private let configuration: World.Configuration
    private let folder: String

    static let usage = """
        usage: quittance-simulator run --out FOLDER [--seed N] [--orders N] [--days D]
                   [--faults none|light|all] [--fault NAME=RATE]... [--numbers uuid|plain|account]

        Makes up a shop with known truth and writes what each of its parties has: events.ndjson and
        notifications.ndjson (what reached the service), receipts/, history/ (Apple's answers),
        delivery-ledger.csv, sales-report.tsv, claims.ndjson, trust/, world.ndjson (the truth) and
        expected.ndjson (the right answers, given what reached the service). The same seed and
        options give the same bytes.

        --seed N      chooses everything that is not said otherwise (1)
        --orders N    orders that the platform makes (1000)
        --days D      how long people shop, from 2026-03-01 on (30)
        --numbers W   what the platform puts into applicationUsername: an order number that is a
                      UUID, a plain one, or the account; without it there is an app of each kind
        --faults P    how often things go wrong: none, light (one in 200 places), all (one in 25)
        --fault N=R   the rate of one fault, from 0 to 1, over the profile:

        \(faults)
        """

    private static let faults = World.Fault.allCases.map { fault in
        let name = fault.rawValue
        return "  " + name + String(repeating: " ", count: 26 - name.count) + fault.summary
    }.joined(separator: "\n")

    init(_ arguments: [String]) throws {
        var rest: [String] = []
        var rates: [(World.Fault, Int)] = []
        var remaining = arguments[...]
        while let argument = remaining.popFirst() {
            guard argument == "--fault" else {
                rest.append(argument)
                continue
            }
            guard let value = remaining.popFirst() else {
                throw UsageError(description: "--fault needs NAME=RATE")
            }
            rates.append(try Self.rate(value))
        }
        let options = try Options(
            rest, names: ["--seed", "--orders", "--days", "--faults", "--numbers", "--out"])
        guard let folder = options["--out"] else {
            throw UsageError(description: "run needs --out FOLDER")
        }
        self.folder = folder
        let name = options["--faults"] ?? "all"
        guard var faults = World.FaultProfile(named: name) else {
            throw UsageError(description: "--faults is none, light or all: \(name)")
        }
        for (fault, rate) in rates { faults[fault] = rate }
        configuration = World.Configuration(
            seed: try options.number("--seed", 1),
            orders: try Self.number(options, "--orders", 1000, 0...World.Configuration.ordersMax),
            days: try Self.number(options, "--days", 30, 1...World.Configuration.daysMax),
            faults: faults, apps: try Self.apps(options["--numbers"]))
    }

    private static func number(
        _ options: Options, _ name: String, _ standard: Int, _ range: ClosedRange<Int>
    ) throws -> Int {
        let number = try options.number(name, standard)
        guard range.contains(number) else {
            throw UsageError(
                description: "\(name) is from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func apps(_ numbers: String?) throws -> [World.App] {
        guard let numbers else { return World.App.all }
        let apps = World.App.all.filter { $0.numbering.rawValue == numbers }
        guard !apps.isEmpty else {
            throw UsageError(description: "--numbers is uuid, plain or account: \(numbers)")
        }
        return apps
    }

    /// `NAME=RATE`, the rate a decimal from 0 to 1, in parts per million.
    private static func rate(_ text: String) throws -> (World.Fault, Int) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let fault = World.Fault(rawValue: String(parts[0])) else {
            throw UsageError(description: "no such fault: \(parts.first ?? "")")
        }
        let digits = parts[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = digits.count == 2 ? String(digits[1]) : ""
        guard let whole = Int(digits[0]), (0...1).contains(whole), fraction.count <= 6,
            fraction.utf8.allSatisfy({ (48...57).contains($0) }),
            let millionths = Int(
                fraction + String(repeating: "0", count: 6 - fraction.count)),
            whole * World.FaultProfile.always + millionths <= World.FaultProfile.always
        else {
            throw UsageError(description: "a rate is from 0 to 1, with six decimals at most")
        }
        return (fault, whole * World.FaultProfile.always + millionths)
    }

    func run() throws {
        let world = World(configuration)
        var files = try WorldFiles(world, folder: folder)
        let start = Self.seconds()
        let isTerminal = isatty(STDERR_FILENO) == 1
        try files.write { counts in
            if isTerminal { note("\r\(counts.orders) orders, \(counts.events) events") }
        }
        try ExpectedWriter(Oracle(world)).write(to: folder)
        let counts = files.counts
        let rate = Int(Double(counts.orders) / max(0.001, Self.seconds() - start))
        if isTerminal { note("\n") }
        print("orders\t\(counts.orders)")
        print("charges\t\(counts.charges)")
        print("events\t\(counts.events)")
        print("claims\t\(counts.claims)")
        for fault in World.Fault.allCases {
            print("fault \(fault.rawValue)\t\(counts.faults[fault.rawValue] ?? 0)")
        }
        note("\(rate) orders a second\n")
    }

    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Writes a message on standard error.
private func note(_ message: String) {
    let bytes = Array(message.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
