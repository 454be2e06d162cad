/// The deadlines of one connection, by the loop's clock.
@EventLoop final class ConnectionDeadlines {
    private var deadlines: RequestDeadlines

    init(limits: RequestLimits) { self.deadlines = RequestDeadlines(limits: limits) }

    /// The phase under way.
    var phase: RequestDeadlines.Phase? { self.deadlines.phase }

    /// When it expires; `nil` without a phase.
    var deadline: Duration? { self.deadlines.deadline }

    /// Begins a phase, or with `nil` stops the clock.
    func enter(_ phase: RequestDeadlines.Phase?) { self.deadlines.enter(phase, at: LoopClock.now) }

    /// Bytes have moved.
    func progressed() { self.deadlines.progressed(at: LoopClock.now) }

    /// The server stops: this much longer at most for a peer that has had its answer.
    func hurry(_ allowance: Duration) { self.deadlines.hurry(allowance, at: LoopClock.now) }

    /// The phase that has taken too long, if one has.
    func expired(at now: Duration) -> RequestDeadlines.Phase? { self.deadlines.expired(at: now) }
}
