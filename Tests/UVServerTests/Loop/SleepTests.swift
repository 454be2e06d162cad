import Testing

@testable import UVServer

@Suite("Sleeping on the loop", .timeLimit(.minutes(1))) struct SleepTests {
    @Test("lasts as long as it should, once") @EventLoop
    func lasts() async {
        let begin = ContinuousClock.now
        await EventLoop.sleep(for: .milliseconds(30))
        // libuv counts in whole milliseconds, the one that has begun included.
        #expect(ContinuousClock.now - begin >= .milliseconds(29))
    }

    @Test("holds up nobody else: shorter sleeps end first") @EventLoop
    func together() async {
        var ended: [Int] = []
        let both = Milestone()
        for milliseconds in [60, 1] {
            EventLoop.spawn {
                await EventLoop.sleep(for: .milliseconds(milliseconds))
                ended.append(milliseconds)
                both.reach()
            }
        }
        await both.reached(2)
        #expect(ended == [1, 60])
    }

    @Test("for nothing, or less, is no sleep") @EventLoop
    func nothing() async {
        await EventLoop.sleep(for: .zero)
        await EventLoop.sleep(for: .seconds(-1))
    }
}
