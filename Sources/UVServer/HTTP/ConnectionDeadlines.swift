/// The deadlines of one connection, by the loop's clock.
@EventLoop final class ConnectionDeadlines {
    private var deadlines: RequestDeadlines

    init(limits: RequestLimits) { self.deadlines = RequestDeadlines(limits: limits) }

    /// The phase under way.
    var phase: RequestDeadlines.Phase? { self.deadlines.phase }

    /// When it expires; `nil` without a phase.
    var deadline: Duration? { self.deadlines.deadline }

    /// Changes them as a copy: setting a new value costs a store, changing one in place a check for exclusive access each time, and one is
    /// set with every request.
    @inline(__always) private func change<Result>(_ change: (inout RequestDeadlines) -> Result) -> Result {
        var deadlines = self.deadlines
        defer { self.deadlines = deadlines }
        return change(&deadlines)
    }

    /// Begins a phase, or with `nil` stops the clock.
    func enter(_ phase: RequestDeadlines.Phase?) { self.change { $0.enter(phase, at: LoopClock.now) } }

    /// A request body begins.
    func beginBody(received: Int64) { self.change { $0.beginBody(received: received) } }

    /// Waits for more of the body.
    func enterBody(received: Int64) { self.change { $0.enterBody(received: received, at: LoopClock.now) } }

    /// The server itself is waited for in the middle of a phase, or no longer.
    func pause(_ isPaused: Bool) {
        self.change { if isPaused { $0.pause(at: LoopClock.now) } else { $0.resume(at: LoopClock.now) } }
    }

    /// Looks at an answer whose deadline has come.
    func continueWrite(taken: Int64, at now: Duration) -> Bool { self.change { $0.continueWrite(taken: taken, at: now) } }

    /// The server stops: this much longer at most for a peer that has had its answer.
    func hurry(_ allowance: Duration) { self.change { $0.hurry(allowance, at: LoopClock.now) } }

    /// The phase that has taken too long, if one has.
    func expired(at now: Duration) -> RequestDeadlines.Phase? { self.deadlines.expired(at: now) }
}
