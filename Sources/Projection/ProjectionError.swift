/// What the projector cannot do.
package enum ProjectionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The views' place in the log was taken away: another rebuild is at work.
    case noCheckpoint
    /// The log was restored to before the views: they must be made anew.
    case aheadOfLog
    /// A row of a kind that this program does not know.
    case unknownKind(String)
    /// More events under one name than an answer may fold.
    case tooManyEvents
    /// A position that the log does not have yet.
    case notYetInLog
    /// A position that the views have not taken over yet.
    case notYetInViews

    /// One line that holds no personal data.
    package var description: String {
        switch self {
        case .noCheckpoint: "the views have no checkpoint"
        case .aheadOfLog:
            "the views are ahead of the log, which was restored: make them anew with "
                + "`quittance projection run --rebuild`"
        case .unknownKind(let kind): "the views hold facts of an unknown kind, \(kind)"
        case .tooManyEvents: "more events under this name than one answer may fold"
        case .notYetInLog: "the log does not reach that far yet"
        case .notYetInViews:
            "the views do not reach that far yet: bring them up to the log with "
                + "`quittance projection run`"
        }
    }
}
