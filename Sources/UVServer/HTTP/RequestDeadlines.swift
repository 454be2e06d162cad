/// When a connection has taken too long, as a function of what it is doing and of a clock the caller reads.
/// Times are `Duration`s since any fixed moment that never run backwards.
///
/// A body and an answer have no deadline as a whole, so that large ones may take long: what counts is the pace
/// (docs/decisions/0017). A body is looked at whenever it is waited for, an answer a few times in a grace.
public struct RequestDeadlines: Sendable {
    /// What a connection waits for.
    public enum Phase: Equatable, Sendable, CaseIterable {
        /// The first byte of a request.
        case idle
        /// The rest of a head that has begun.
        case head
        /// The next piece of a request body.
        case body
        /// The peer to take the rest of a response.
        case write
        /// The peer to stop sending what nobody reads.
        case linger
    }

    private let limits: RequestLimits
    /// The phase under way; `nil` while the server is the one being waited for, which no deadline covers.
    public private(set) var phase: Phase?
    /// When `phase` expires, or in `write` is to be judged; `nil` without a phase, and while it is paused.
    public private(set) var deadline: Duration?
    private var body: TransferPace
    private var write: TransferPace
    /// The time from one look at an answer to the next.
    private let step: Duration
    /// What was left until `deadline` when it was paused.
    private var paused: Duration?

    public init(limits: RequestLimits) {
        self.limits = limits
        self.body = TransferPace(grace: limits.bodyGrace, bytesPerSecond: limits.bytesPerSecond)
        self.write = TransferPace(grace: limits.writeGrace, bytesPerSecond: limits.bytesPerSecond)
        self.step = limits.writeGrace / 4
    }

    /// Begins a phase, or with `nil` stops the clock.
    public mutating func enter(_ phase: Phase?, at now: Duration) {
        if self.phase == .body, let deadline = self.deadline { self.body.waited(self.body.left - (deadline - now)) }
        self.paused = nil
        self.phase = phase
        switch phase {
        case .idle: self.deadline = now + self.limits.keepAliveDeadline
        case .head: self.deadline = now + self.limits.headDeadline
        case .body: self.deadline = now + self.body.left
        case .write:
            self.write.begin(at: nil)
            self.deadline = now + self.step
        case .linger: self.deadline = now + self.limits.lingerDeadline
        case nil: self.deadline = nil
        }
    }

    /// A request body begins.
    /// - Parameter received: what the connection has received so far, in bytes.
    public mutating func beginBody(received: Int64) { self.body.begin(at: received) }

    /// Waits for more of the body.
    /// - Parameter received: as in ``beginBody(received:)``, at this moment.
    public mutating func enterBody(received: Int64, at now: Duration) {
        self.body.moved(total: received)
        self.enter(.body, at: now)
    }

    /// The server is waited for in the middle of a phase: stops its clock.
    public mutating func pause(at now: Duration) {
        guard let deadline = self.deadline else { return }
        self.paused = deadline - now
        self.deadline = nil
    }

    /// Goes on with a phase that was paused.
    public mutating func resume(at now: Duration) {
        guard let paused = self.paused else { return }
        self.paused = nil
        self.deadline = now + paused
    }

    /// Looks at an answer whose deadline has come.
    /// - Parameter taken: what the peer has taken since any fixed moment, in bytes.
    /// - Returns: whether it goes on; the deadline is that of the next look then.
    public mutating func continueWrite(taken: Int64, at now: Duration) -> Bool {
        guard self.phase == .write, let deadline = self.deadline else { return false }
        // The first look has nothing to compare with and costs what every look does, however late it is.
        let isFirst = self.write.total == nil
        self.write.waited(isFirst ? self.step : self.step + (now - deadline))
        self.write.moved(total: taken)
        guard self.write.left > .zero else { return false }
        self.deadline = now + self.step
        return true
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
}
