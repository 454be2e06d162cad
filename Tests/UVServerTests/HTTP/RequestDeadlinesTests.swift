import Testing
import UVServer

@Suite("Request deadlines")
struct RequestDeadlinesTests {
    static let allowances: [(RequestDeadlines.Phase, Int)] = [(.idle, 75), (.head, 10), (.body, 60), (.linger, 30)]

    @Test("A phase expires when its allowance is over, not before", arguments: Self.allowances)
    func expires(_ phase: RequestDeadlines.Phase, _ seconds: Int) {
        var deadlines = RequestDeadlines(limits: RequestLimits())
        deadlines.enter(phase, at: .seconds(100))
        #expect(deadlines.expired(at: .seconds(100 + seconds) - .nanoseconds(1)) == nil)
        #expect(deadlines.expired(at: .seconds(100 + seconds)) == phase)
        #expect(deadlines.deadline == .seconds(100 + seconds))
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
        deadlines.resume(at: .seconds(69))
        #expect(deadlines.expired(at: .seconds(1_000_000)) == nil && deadlines.phase == nil && deadlines.deadline == nil)
    }

    // MARK: Pace

    /// A peer that moves `bytes` after each `seconds`.
    struct Peer: Sendable {
        let bytes: Int64
        let seconds: Int
        /// When it has been given up; `nil` after an hour in which it has not.
        let givenUp: ClosedRange<Int>?

        init(_ bytes: Int64, every seconds: Int, givenUp: ClosedRange<Int>?) {
            (self.bytes, self.seconds, self.givenUp) = (bytes, seconds, givenUp)
        }

        func isRight(_ end: Int?) -> Bool { self.givenUp.map { range in end.map(range.contains) ?? false } ?? (end == nil) }
    }

    static let peers = [
        // At 256 bytes a second or more it may take for ever, also with pauses of almost a minute.
        Peer(256, every: 1, givenUp: nil), Peer(2560, every: 10, givenUp: nil), Peer(15_104, every: 59, givenUp: nil),
        Peer(1 << 40, every: 59, givenUp: nil), Peer(1 << 50, every: 1, givenUp: nil),
        // Whoever stops has a minute; of an answer that is noticed by the end of a quarter more.
        Peer(0, every: 1, givenUp: 60...75), Peer(1 << 30, every: 100, givenUp: 60...75),
        // Single bytes earn next to nothing.
        Peer(1, every: 1, givenUp: 60...76), Peer(1, every: 30, givenUp: 60...75),
        // At nine tenths of the rate the minute is used up after eight or ten.
        Peer(231, every: 1, givenUp: 460...640), Peer(2310, every: 10, givenUp: 460...640),
        // What is sent at once does not buy more than a minute.
        Peer(1 << 20, every: 90, givenUp: 60...75),
    ]

    @Test("A body may take as long as it likes at the least rate, and is given up below it", arguments: Self.peers)
    func body(_ peer: Peer) {
        var deadlines = RequestDeadlines(limits: RequestLimits())
        deadlines.beginBody(received: 1000)
        var (received, end) = (Int64(1000), Int?.none)
        deadlines.enterBody(received: received, at: .zero)
        for second in 1...3600 where end == nil {
            // What comes in this very moment has come before anybody looks.
            if second % peer.seconds == 0 {
                received += min(peer.bytes, .max - received)
                deadlines.enter(nil, at: .seconds(second))
                deadlines.enterBody(received: received, at: .seconds(second))
            }
            if deadlines.expired(at: .seconds(second)) == .body { end = second }
        }
        #expect(peer.isRight(end), "\(String(describing: end))")
    }

    @Test("An answer may take as long as it likes at the least rate, and is given up below it", arguments: Self.peers)
    func write(_ peer: Peer) {
        var deadlines = RequestDeadlines(limits: RequestLimits())
        deadlines.enter(.write, at: .zero)
        var (taken, end) = (Int64(5), Int?.none)
        for second in 1...3600 where end == nil {
            if second % peer.seconds == 0 { taken += min(peer.bytes, .max - taken) }
            guard deadlines.expired(at: .seconds(second)) == .write else { continue }
            if !deadlines.continueWrite(taken: taken, at: .seconds(second)) { end = second }
        }
        #expect(peer.isRight(end), "\(String(describing: end))")
    }

    @Test("A body is charged for the time in which its client is waited for, and for no other")
    func bodyWaits() {
        var deadlines = RequestDeadlines(limits: RequestLimits())
        deadlines.beginBody(received: 0)
        for round in 0..<59 {
            let start = Duration.seconds(1000 * round)
            deadlines.enterBody(received: 0, at: start)
            deadlines.enter(nil, at: start + .seconds(1))
            #expect(deadlines.expired(at: start + .seconds(999)) == nil)
        }
        deadlines.enterBody(received: 0, at: .seconds(100_000))
        #expect(deadlines.deadline == .seconds(100_001))
        // Another body begins with all of it.
        deadlines.enter(nil, at: .seconds(100_001))
        deadlines.beginBody(received: 1 << 20)
        deadlines.enterBody(received: 1 << 20, at: .seconds(200_000))
        #expect(deadlines.deadline == .seconds(200_060))
    }

    @Test("What came in while nobody waited counts for a body, and what came before it began does not")
    func bodyBytes() {
        var deadlines = RequestDeadlines(limits: RequestLimits())
        deadlines.beginBody(received: 1 << 30)
        deadlines.enterBody(received: 1 << 30, at: .zero)
        deadlines.enter(nil, at: .seconds(50))
        deadlines.enterBody(received: 1 << 30 + 2560, at: .seconds(500))
        #expect(deadlines.deadline == .seconds(520))
    }

    @Test("An answer is not charged for a wait for the disk")
    func pause() {
        var deadlines = RequestDeadlines(limits: RequestLimits())
        deadlines.enter(.write, at: .zero)
        deadlines.pause(at: .seconds(10))
        #expect(deadlines.expired(at: .seconds(1_000_000)) == nil && deadlines.phase == .write)
        deadlines.resume(at: .seconds(1000))
        #expect(deadlines.deadline == .seconds(1005))
        // A phase that follows is not one that was paused.
        deadlines.pause(at: .seconds(1001))
        deadlines.enter(.idle, at: .seconds(1002))
        deadlines.resume(at: .seconds(1003))
        #expect(deadlines.deadline == .seconds(1077))
    }

    @Test("An answer has its whole grace whatever was written before, and a late first look costs no more than another")
    func firstLook() {
        var deadlines = RequestDeadlines(limits: RequestLimits())
        for start in [Duration.zero, .seconds(1000)] {
            deadlines.enter(.write, at: start)
            let goesOn = [500, 515, 530, 545].map { deadlines.continueWrite(taken: 0, at: start + .seconds($0)) }
            #expect(goesOn == [true, true, true, false])
        }
    }
}
