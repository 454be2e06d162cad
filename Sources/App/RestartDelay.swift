/// How long the place of a worker that has died stays empty. One that has served for a while is replaced at once, and so is the first
/// that has not; whatever makes the next ones die at once gets more and more time to pass.
struct RestartDelay {
    /// Who has lived so long has not died of its start.
    static let settled: Duration = .seconds(10)
    static let first: Duration = .milliseconds(125)
    static let longest: Duration = .seconds(30)

    /// How many in a row have died at once.
    private var early = 0

    /// - Parameter lived: from the start of the worker to its end.
    mutating func next(afterLiving lived: Duration) -> Duration {
        guard lived < Self.settled else {
            self.early = 0
            return .zero
        }
        self.early += 1
        guard self.early > 1 else { return .zero }
        return self.early > 16 ? Self.longest : min(Self.first * (1 << (self.early - 2)), Self.longest)
    }
}
