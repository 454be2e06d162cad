import Testing

@testable import UVServer

@Suite("The order of idle connections") struct IdleOrderTests {
    @Test("gives those first that have been idle longest, and an eighth of all before it is to be filled again")
    func order() {
        var order = IdleOrder<Int>()
        #expect(order.popLongest() == nil)
        let idle = (0..<800).map { (id: $0, since: Duration.milliseconds($0 * 7919 % 1000)) }.shuffled()
        order.fill(idle)
        var taken: [Duration] = []
        while let next = order.popLongest() { taken.append(next.since) }
        #expect(taken == Array(idle.map(\.since).sorted().prefix(116)))
    }
}
