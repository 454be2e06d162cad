/// The deadlines of one connection, by the loop's clock. They are changed as a copy: setting a new value costs a store, changing one in place
/// a check for exclusive access each time, and one is set with every request.
@EventLoop final class ConnectionDeadlines {
    private var deadlines: RequestDeadlines

    init(limits: RequestLimits) { self.deadlines = RequestDeadlines(limits: limits) }

    /// The phase under way.
    var phase: RequestDeadlines.Phase? { self.deadlines.phase }

    /// When it expires; `nil` without a phase.
    var deadline: Duration? { self.deadlines.deadline }

    /// Begins a phase, or with `nil` stops the clock.
    func enter(_ phase: RequestDeadlines.Phase?) {
        var deadlines = self.deadlines
        deadlines.enter(phase, at: LoopClock.now)
        self.deadlines = deadlines
    }

    /// A request body begins.
    func beginBody(received: Int64) {
        var deadlines = self.deadlines
        deadlines.beginBody(received: received)
        self.deadlines = deadlines
    }

    /// Waits for more of the body.
    func enterBody(received: Int64) {
        var deadlines = self.deadlines
        deadlines.enterBody(received: received, at: LoopClock.now)
        self.deadlines = deadlines
    }

    /// The server itself is waited for in the middle of a phase, or no longer.
    func pause(_ isPaused: Bool) {
        var deadlines = self.deadlines
        if isPaused { deadlines.pause(at: LoopClock.now) } else { deadlines.resume(at: LoopClock.now) }
        self.deadlines = deadlines
    }

    /// Looks at an answer whose deadline has come.
    func continueWrite(taken: Int64, at now: Duration) -> Bool {
        var deadlines = self.deadlines
        defer { self.deadlines = deadlines }
        return deadlines.continueWrite(taken: taken, at: now)
    }

    /// The server stops: this much longer at most for a peer that has had its answer.
    func hurry(_ allowance: Duration) {
        var deadlines = self.deadlines
        deadlines.hurry(allowance, at: LoopClock.now)
        self.deadlines = deadlines
    }

    /// The phase that has taken too long, if one has.
    func expired(at now: Duration) -> RequestDeadlines.Phase? { self.deadlines.expired(at: now) }
}
