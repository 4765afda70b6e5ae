internal import FoundationEssentials
internal import Simulator

/// `sample-day`: writes the files of a sample day below a folder.
struct SampleDayCommand {
    private let seed: UInt64
    private let day: String
    private let folder: String

    init(_ arguments: [String]) throws {
        let options = try Options(arguments, names: ["--seed", "--day", "--out"])
        seed = try options.number("--seed", 1)
        day = options["--day"] ?? SampleDay.defaultDay
        guard let folder = options["--out"] else {
            throw UsageError(description: "sample-day needs --out FOLDER")
        }
        self.folder = folder
    }

    func run() throws {
        let sample: SampleDay
        do {
            sample = try SampleDay(seed: seed, day: day)
        } catch let error as SampleDayError {
            throw UsageError(description: error.description)
        }
        for file in sample.files {
            let path = "\(folder)/\(file.path)"
            let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
            try FileManager.default.createDirectory(
                atPath: String(parent), withIntermediateDirectories: true)
            try Data(file.bytes).write(to: URL(filePath: path), options: .atomic)
            print(path)
        }
    }
}
