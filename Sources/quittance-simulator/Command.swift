internal import Glibc

/// `quittance-simulator`: a world with known truth, for demonstrations, tests and measurements.
@main
enum Command {
    static let usage = """
        usage: quittance-simulator sample-day [--seed N] [--day YYYY-MM-DD] --out FOLDER
               quittance-simulator run [--seed N] [--orders N] [options] --out FOLDER
               quittance-simulator serve --dir FOLDER [options]
               quittance-simulator score --dir FOLDER [--database CONNINFO] [--quittance PATH]
               quittance-simulator bench-verify [--seconds N]
               quittance-simulator bench-receipts [--seconds N]
               quittance-simulator bench-samples --out FOLDER

        sample-day    writes what the parties of a small shop sent during one day, and the right
                      verdict of each claim; the same seed and day give the same bytes
        run           makes up a shop of any size with known truth; run --help tells its faults
        serve         answers as the App Store Server API and as the delivery server, from the
                      folder that run wrote; serve --help tells more
        score         asks the service about every order and claim of a world that was brought into
                      it, and compares the answers with what is right and with what is true; 4 if
                      any is wrong or false
        bench-verify  prints how many signed transactions and notifications a second of one core's
                      time verifies
        bench-receipts  the same of app receipts, which are also read into JSON
        bench-samples   writes what `tools/bench verify` gives to others to verify
        """

    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        guard let name = arguments.first else { fail(usage, status: 2) }
        arguments.removeFirst()
        do {
            switch name {
            case "run" where arguments.contains { ["--help", "-h"].contains($0) }:
                print(RunCommand.usage)
            case "run": try RunCommand(arguments).run()
            case "serve" where arguments.contains { ["--help", "-h"].contains($0) }:
                print(ServeCommand.usage)
            case "serve": try await ServeCommand(arguments).run()
            case "sample-day": try SampleDayCommand(arguments).run()
            case "score": exit(try ScoreCommand(arguments).run())
            case "bench-verify":
                let options = try Options(arguments, names: ["--seconds"])
                try VerificationBench().verifyJWS(
                    seconds: Double(try options.number("--seconds", Int64(3))))
            case "bench-receipts":
                let options = try Options(arguments, names: ["--seconds"])
                try VerificationBench().verifyReceipts(
                    seconds: Double(try options.number("--seconds", Int64(3))))
            case "bench-samples":
                let options = try Options(arguments, names: ["--out"])
                guard let folder = options["--out"] else {
                    throw UsageError(description: "bench-samples needs --out FOLDER")
                }
                try VerificationBench().writeSamples(folder: folder)
            case "--help", "-h", "help": print(usage)
            default: throw UsageError(description: "unknown command: \(name)")
            }
        } catch let error as UsageError {
            fail("\(error)\n\(usage)", status: 2)
        } catch {
            fail("\(error)", status: 1)
        }
    }
}

/// What is wrong with the arguments.
struct UsageError: Error, CustomStringConvertible {
    let description: String
}
