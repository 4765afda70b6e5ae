public import Testing

/// A trait of tests that need a database each: only a few of them run at one time, so that the
/// connections of one cluster suffice and a slow machine is not overrun.
public struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    /// It holds for each test of a suite.
    public var isRecursive: Bool { true }

    private static let turns = Turns(4)

    /// Waits for its turn, then runs the test.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.turns.take()
        do {
            try await function()
        } catch {
            await Self.turns.giveBack()
            throw error
        }
        await Self.turns.giveBack()
    }
}

extension Trait where Self == FewAtOnce {
    /// Only a few of these tests run at one time.
    public static var fewAtOnce: Self { FewAtOnce() }
}

/// A number of turns, handed out in the order in which they were asked for.
private actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
        if free > 0 {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
