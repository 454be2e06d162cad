import TestSupport
import Testing
import UVServer

@testable import FileDrop

@Suite("FolderSync") struct FolderSyncTests {
    /// An fsync that ends when it is told to.
    @EventLoop private final class Gate {
        private var waiting: [CheckedContinuation<Result<Void, UVError>, Never>] = []
        private var arrivals: [CheckedContinuation<Void, Never>] = []
        var outcomes: [String] = []

        func run() async -> Result<Void, UVError> {
            await withCheckedContinuation { continuation in
                self.waiting.append(continuation)
                for arrival in self.arrivals { arrival.resume() }
                self.arrivals = []
            }
        }

        func arrived() async {
            if !self.waiting.isEmpty { return }
            await withCheckedContinuation { self.arrivals.append($0) }
        }

        func finish(_ result: Result<Void, UVError>) { self.waiting.removeFirst().resume(returning: result) }
    }

    @Test("one fsync covers all that came before it, and none that came during it") @EventLoop
    func grouping() async throws {
        let place = try TemporaryFolder()
        let folder = try Folder(path: place.path)
        let gate = Gate()
        let sync = FolderSync { _ in await gate.run() }
        func start(_ name: String) -> Task<Void, Never> {
            EventLoop.spawn {
                do throws(UVError) {
                    try await sync.sync(folder)
                    gate.outcomes.append("\(name) done")
                } catch {
                    gate.outcomes.append("\(name) failed")
                }
            }
        }
        let first = start("a")
        await gate.arrived()
        let rest = [start("b"), start("c"), start("d")]
        while sync.waitingCount(folder) < 3 { await EventLoop.spawn {}.value }
        gate.finish(.success(()))
        await first.value
        #expect(gate.outcomes == ["a done"])
        await gate.arrived()
        gate.finish(.failure(UVError(code: -5, call: "fsync")))
        for task in rest { await task.value }
        #expect(gate.outcomes.sorted() == ["a done", "b failed", "c failed", "d failed"])
        #expect(sync.rounds == 2)
        #expect(sync.waitingCount(folder) == 0)
    }
}
