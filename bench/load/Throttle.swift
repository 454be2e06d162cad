/// Keeps one client at its rate. Pure.
///
/// Time lost is made up for as far as `credit` reaches: sleeps end late by up to a millisecond or two.
struct Throttle {
    private static let credit: Duration = .milliseconds(100)

    private let secondsAByte: Double
    private var due: ContinuousClock.Instant

    /// - Parameter rate: bytes a second, more than none.
    init(rate: Int64, from start: ContinuousClock.Instant) {
        self.secondsAByte = 1 / Double(rate)
        self.due = start
    }

    /// When the next bytes may move, after `count` have moved at `now`.
    mutating func moved(_ count: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        self.due = max(self.due, now - Self.credit) + .seconds(Double(count) * self.secondsAByte)
        return self.due
    }
}
