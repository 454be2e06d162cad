/// When the requests of a load are due: evenly, from its start on. Pure.
struct Pacer {
    private let start: ContinuousClock.Instant
    private let gap: Duration
    private var given = 0

    init(perSecond: Double, from start: ContinuousClock.Instant) {
        self.start = start
        self.gap = .seconds(1 / perSecond)
    }

    /// When the next request is due; each is given once.
    mutating func next() -> ContinuousClock.Instant {
        defer { self.given += 1 }
        return self.start + self.gap * self.given
    }
}
