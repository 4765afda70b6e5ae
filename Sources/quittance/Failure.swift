internal import EventLog
internal import Intake
internal import PostgreSQL
internal import Projection

/// Something a command could not do, in words for the person who ran it.
struct CommandFailure: Error {
    let message: String
    var code = ExitCode.failed
}

/// Turns an error into one line on standard error and an exit code.
enum Failure {
    static func report(_ error: any Error) -> ExitCode {
        switch error {
        case let error as UsageError:
            Terminal.say(error.message)
            return .usage
        case let error as CommandFailure:
            Terminal.say(error.message)
            return error.code
        case let error as PostgreSQLError:
            Terminal.say(error.description)
            return code(of: error)
        case let error as EventLogError:
            Terminal.say(error.description)
            return code(of: error)
        case let error as ProjectionError:
            Terminal.say(error.description)
            return .failed
        case let error as InputError:
            Terminal.say(error.reason)
            return .failed
        default:
            // An error that no room of ours declares may hold anything: only its type is said.
            Terminal.say("failed: \(type(of: error))")
            return .failed
        }
    }

    private static func code(of error: EventLogError) -> ExitCode {
        switch error {
        case .outsideTree: .notFound
        case .overloaded: .tryAgain
        case .invalidEvent, .unsafeDurability, .schema, .badLedgerName, .damaged, .treeIncomplete,
            .tooMany, .notPartitioned, .unsuitableDatabase:
            .failed
        }
    }

    private static func code(of error: PostgreSQLError) -> ExitCode {
        if error.isUnavailable { return .unavailable }
        if error.isNotPermitted { return .notPermitted }
        return error.isTransient ? .tryAgain : .failed
    }
}
