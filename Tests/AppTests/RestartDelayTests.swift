import Testing

@testable import App

@Suite("The delay before a worker's successor") struct RestartDelayTests {
    @Test("is none at first, doubles while they die at once up to a bound, and is none again after one that has served")
    func table() {
        var delay = RestartDelay()
        let milliseconds = [0, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]
        for expected in milliseconds { #expect(delay.next(afterLiving: .seconds(9)) == .milliseconds(expected)) }
        for _ in 0..<1000 { #expect(delay.next(afterLiving: .zero) == .seconds(30)) }
        #expect(delay.next(afterLiving: .seconds(10)) == .zero)
        #expect(delay.next(afterLiving: .zero) == .zero)
        #expect(delay.next(afterLiving: .zero) == .milliseconds(125))
    }
}
