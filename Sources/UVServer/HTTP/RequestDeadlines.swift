/// When a connection has taken too long, as a function of what it is doing and of a clock the caller reads.
/// Times are `Duration`s since any fixed moment that never run backwards.
public struct RequestDeadlines: Sendable {
    /// What a connection waits for.
    public enum Phase: Equatable, Sendable, CaseIterable {
        /// The first byte of a request.
        case idle
        /// The rest of a head that has begun.
        case head
        /// The next piece of a request body.
        case body
        /// The peer to take the next piece of a response.
        case write
        /// The peer to stop sending what nobody reads.
        case linger
    }

    private let limits: RequestLimits
    /// The phase under way; `nil` while the server is the one being waited for, which no deadline covers.
    public private(set) var phase: Phase?
    /// When `phase` expires; `nil` without a phase.
    public private(set) var deadline: Duration?

    public init(limits: RequestLimits) { self.limits = limits }

    /// Begins a phase with its whole allowance, or with `nil` stops the clock.
    public mutating func enter(_ phase: Phase?, at now: Duration) {
        self.phase = phase
        self.deadline = phase.map { now + self.allowance($0) }
    }

    /// Bytes moved. Grants `body` and `write` their allowance anew; a head, an idle peer and a lingering one get no more time.
    public mutating func progressed(at now: Duration) {
        switch self.phase {
        case .body, .write: self.enter(self.phase, at: now)
        case .idle, .head, .linger, nil: break
        }
    }

    /// The server stops: a peer that has had its answer is given this much longer to read it, at most.
    public mutating func hurry(_ allowance: Duration, at now: Duration) {
        guard self.phase == .linger, let deadline = self.deadline else { return }
        self.deadline = min(deadline, now + allowance)
    }

    /// The phase that has outlived its allowance at `now`, if any.
    public func expired(at now: Duration) -> Phase? {
        guard let deadline = self.deadline, now >= deadline else { return nil }
        return self.phase
    }

    private func allowance(_ phase: Phase) -> Duration {
        switch phase {
        case .idle: self.limits.keepAliveDeadline
        case .head: self.limits.headDeadline
        case .body: self.limits.bodyProgressDeadline
        case .write: self.limits.writeProgressDeadline
        case .linger: self.limits.lingerDeadline
        }
    }
}
