import Testing

@testable import UVServer

@Suite("A loop timer", .timeLimit(.minutes(1))) struct LoopTimerTests {
    /// Something that a timer's closure holds.
    private final class Held: Sendable {}

    @Test("fires again and again, never before its period is over") @EventLoop
    func repeats() async {
        let fired = Milestone()
        var moments = [LoopClock.now]
        let timer = LoopTimer(every: .milliseconds(20)) {
            moments.append(LoopClock.now)
            fired.reach()
        }
        await fired.reached(3)
        timer.stop()
        #expect(moments[1] - moments[0] >= .milliseconds(20))
        #expect(moments[3] - moments[0] >= .milliseconds(60))
    }

    @Test("of less than a millisecond still fires") @EventLoop
    func tiny() async {
        let fired = Milestone()
        let timer = LoopTimer(every: .microseconds(1)) { fired.reach() }
        await fired.reached(2)
        timer.stop()
    }

    @Test("does not fire after it was stopped, not even when it stops itself") @EventLoop
    func stops() async {
        let (stopped, stoppedItself, other) = (Milestone(), Milestone(), Milestone())
        let first = LoopTimer(every: .milliseconds(1)) { stopped.reach() }
        var second: LoopTimer?
        second = LoopTimer(every: .milliseconds(1)) {
            stoppedItself.reach()
            second?.stop()
        }
        await stoppedItself.reached()
        await stopped.reached()
        first.stop()
        let count = stopped.count
        // A timer of the same period has fired ten times since: so would the stopped ones have.
        let third = LoopTimer(every: .milliseconds(1)) { other.reach() }
        await other.reached(10)
        third.stop()
        #expect(stopped.count == count)
        #expect(stoppedItself.count == 1)
        second = nil
    }

    @Test("is held by the loop until it is stopped, and released then with all that its closure holds") @EventLoop
    func releases() async {
        weak var released: LoopTimer?
        weak var content: Held?
        let fired = Milestone()
        do {
            let held = Held()
            let timer = LoopTimer(every: .milliseconds(1)) {
                withExtendedLifetime(held) { fired.reach() }
            }
            (released, content) = (timer, held)
        }
        await fired.reached(2)
        #expect(released != nil && content != nil)
        released?.stop()
        // Idempotent: libuv would abort on closing a handle twice.
        released?.stop()
        await turns(2)
        #expect(released == nil && content == nil)
    }
}
