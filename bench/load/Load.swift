import UVServer

/// One load while it runs: what its clients share.
@EventLoop final class Load {
    /// A request that a client may make now.
    struct Turn {
        /// From 0, over all clients.
        let number: Int
        /// From when its latency counts: when it was due, if the client was late because of its last one, else now.
        let begin: ContinuousClock.Instant
    }

    let spec: LoadSpec
    /// Its place on the command line, from 0.
    let number: Int
    var tally = Tally()
    private var pacer: Pacer?
    private var given = 0

    init(_ spec: LoadSpec, number: Int) {
        self.spec = spec
        self.number = number
        self.pacer = spec.pace.map { Pacer(perSecond: $0, from: .now) }
    }

    /// Waits until a request is due; `nil` when there are no more, or the run is over.
    func nextTurn(_ run: Run) async -> Turn? {
        guard !run.isOver, self.given < self.spec.count ?? .max else { return nil }
        let number = self.given
        self.given += 1
        guard let due = self.pacer?.next() else { return Turn(number: number, begin: .now) }
        guard due > .now else { return Turn(number: number, begin: due) }
        await run.sleep(until: due)
        return run.isOver ? nil : Turn(number: number, begin: .now)
    }
}
