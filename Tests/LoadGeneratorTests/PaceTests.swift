import Testing

@testable import LoadGenerator

@Suite("Pace and rate") struct PaceTests {
    private let start = ContinuousClock.now

    @Test("requests are due evenly, however late they are taken") func pacer() {
        var pacer = Pacer(perSecond: 4, from: self.start)
        #expect((0..<4).map { _ in pacer.next() - self.start } == [0, 250, 500, 750].map { .milliseconds($0) })
    }

    @Test("bytes wait for those before them, and make up for a little of what was lost") func throttle() {
        var throttle = Throttle(rate: 1000, from: self.start)
        #expect(throttle.moved(500, at: self.start) - self.start == .milliseconds(500))
        #expect(throttle.moved(500, at: self.start + .milliseconds(520)) - self.start == .milliseconds(1000))
        // Two seconds late: a tenth of one is given back.
        #expect(throttle.moved(500, at: self.start + .milliseconds(3000)) - self.start == .milliseconds(3400))
    }

    @Test("percentiles are latencies that were measured") func percentiles() {
        let sorted = (1...200).map { UInt32($0) }
        #expect([0.5, 0.9, 0.99, 1].map { Tally.percentile($0, of: sorted) } == [100, 180, 198, 200])
        #expect(Tally.percentile(0.99, of: [7]) == 7)
        #expect(Tally.percentile(0.5, of: []) == nil)
    }
}
