import Testing
import UVServer

@Suite("Request deadlines")
struct RequestDeadlinesTests {
    static let allowances: [(RequestDeadlines.Phase, Int)] = [
        (.idle, 75), (.head, 10), (.body, 60), (.write, 60), (.linger, 30),
    ]

    @Test("A phase expires when its allowance is over, not before", arguments: Self.allowances)
    func expires(_ phase: RequestDeadlines.Phase, _ seconds: Int) {
        var deadlines = RequestDeadlines(limits: RequestLimits())
        deadlines.enter(phase, at: .seconds(100))
        #expect(deadlines.expired(at: .seconds(100 + seconds) - .nanoseconds(1)) == nil)
        #expect(deadlines.expired(at: .seconds(100 + seconds)) == phase)
        #expect(deadlines.deadline == .seconds(100 + seconds))
    }

    @Test("Progress moves the deadline of a body and of a write only", arguments: Self.allowances)
    func progress(_ phase: RequestDeadlines.Phase, _ seconds: Int) {
        var deadlines = RequestDeadlines(limits: RequestLimits())
        deadlines.enter(phase, at: .zero)
        for second in 1..<seconds { deadlines.progressed(at: .seconds(second)) }
        let moves = phase == .body || phase == .write
        #expect(deadlines.expired(at: .seconds(seconds)) == (moves ? nil : phase))
        #expect(deadlines.expired(at: .seconds(2 * seconds - 1)) == phase)
    }

    @Test("A hurry shortens the wait for a lingering peer only, and never prolongs it", arguments: Self.allowances)
    func hurry(_ phase: RequestDeadlines.Phase, _ seconds: Int) {
        var deadlines = RequestDeadlines(limits: RequestLimits())
        deadlines.enter(phase, at: .zero)
        deadlines.hurry(.seconds(1), at: .seconds(2))
        #expect(deadlines.deadline == .seconds(phase == .linger ? 3 : seconds))
        deadlines.hurry(.seconds(1), at: .seconds(9))
        #expect(deadlines.deadline == .seconds(phase == .linger ? 3 : seconds))
    }

    @Test("A new phase has its own allowance, and none stops the clock")
    func phases() {
        var deadlines = RequestDeadlines(limits: RequestLimits())
        #expect(deadlines.expired(at: .seconds(1_000_000)) == nil)
        deadlines.enter(.head, at: .zero)
        deadlines.enter(.body, at: .seconds(9))
        #expect(deadlines.expired(at: .seconds(68)) == nil)
        deadlines.enter(nil, at: .seconds(68))
        deadlines.progressed(at: .seconds(69))
        #expect(deadlines.expired(at: .seconds(1_000_000)) == nil && deadlines.phase == nil && deadlines.deadline == nil)
    }
}
