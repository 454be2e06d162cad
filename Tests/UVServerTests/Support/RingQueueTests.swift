import Testing

@testable import UVServer

@Suite("A ring queue") struct RingQueueTests {
    @Test("gives back in the order it took, across every wrap") func order() {
        var queue = RingQueue<Int>()
        var (next, expected) = (0, 0)
        for round in 1...20 {
            for _ in 0..<round {
                queue.append(next)
                next += 1
            }
            for _ in 0..<round - 1 {
                #expect(queue.popFirst() == expected)
                expected += 1
            }
        }
        while let value = queue.popFirst() {
            #expect(value == expected)
            expected += 1
        }
        #expect(expected == next)
        #expect(queue.isEmpty)
    }

    @Test("gives a prepended element first") func prepend() {
        var queue = RingQueue<Int>()
        for value in 0..<4 { queue.append(value) }
        queue.prepend(-1)
        #expect((0..<6).map { _ in queue.popFirst() } == [-1, 0, 1, 2, 3, nil])
    }
}
