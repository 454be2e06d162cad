import Testing

@testable import UVServer

@Suite("A coalescer") struct CoalescerTests {
    /// A run that ends when it is told to.
    @EventLoop private final class Gate {
        private var waiting: [CheckedContinuation<String, Never>] = []
        private var arrivals: [CheckedContinuation<Void, Never>] = []
        var outcomes: [String] = []

        func run() async -> String {
            await withCheckedContinuation { continuation in
                self.waiting.append(continuation)
                for arrival in self.arrivals { arrival.resume() }
                self.arrivals = []
            }
        }

        func arrived() async {
            await withCheckedContinuation { arrival in
                if self.waiting.isEmpty { self.arrivals.append(arrival) } else { arrival.resume() }
            }
        }

        func finish(_ result: String) { self.waiting.removeFirst().resume(returning: result) }
    }

    @Test("answers all that came before a run with it, and none that came during it") @EventLoop
    func grouping() async {
        let gate = Gate()
        let coalescer = Coalescer<Int, String>()
        func start(_ name: String) -> Task<Void, Never> {
            EventLoop.spawn {
                let value = await coalescer.value(for: 7) { await gate.run() }
                gate.outcomes.append("\(name) \(value)")
            }
        }
        let first = start("a")
        await gate.arrived()
        let rest = [start("b"), start("c"), start("d")]
        while coalescer.waitingCount(7) < 3 { await EventLoop.nextTurn() }
        gate.finish("first")
        await first.value
        #expect(gate.outcomes == ["a first"])
        await gate.arrived()
        gate.finish("second")
        for task in rest { await task.value }
        #expect(gate.outcomes.sorted() == ["a first", "b second", "c second", "d second"])
        #expect(coalescer.runs == 2)
        #expect(coalescer.waitingCount(7) == 0)
    }

    @Test("answers tasks that come from outside the loop, too") func outside() async {
        let coalescer = await Coalescer<Int, Int>()
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await coalescer.value(for: number % 3) {
                        await EventLoop.nextTurn()
                        return number % 3
                    }
                }
            }
            var sum = 0
            for await value in group { sum += value }
            #expect(sum == (0..<200).reduce(0) { $0 + $1 % 3 })
        }
        #expect(await coalescer.runs >= 3)
    }
}
