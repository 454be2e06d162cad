import Glibc
import Synchronization
import Testing

@testable import UVServer

@Suite("Blocking work", .serialized, .timeLimit(.minutes(1))) struct BlockingWorkTests {
    @Test("comes back to the loop with its value") @EventLoop func value() async {
        let loopThread = UInt(pthread_self())
        let poolThread = await BlockingWork.run(.open) { UInt(pthread_self()) }
        #expect(poolThread != loopThread)
        #expect(UInt(pthread_self()) == loopThread)
    }

    @Test("throws what the work threw") @EventLoop func failure() async {
        await #expect(throws: UVError(code: -5, call: "fsync")) {
            try await BlockingWork.run(.sync) { () throws(UVError) -> Int in throw UVError(code: -5, call: "fsync") }
        }
    }

    /// How many witnesses have been let go of.
    private final class Gone: Sendable {
        let count = Atomic(0)
    }

    private final class Witness: Sendable {
        private let gone: Gone
        init(_ gone: Gone) { self.gone = gone }
        deinit { self.gone.count.add(1, ordering: .relaxed) }
        func touch() {}
    }

    @Test("holds nothing any more when its caller goes on", arguments: [BlockingWork.Lane.commit, .list]) @EventLoop
    func letsGo(_ lane: BlockingWork.Lane) async {
        let gone = Gone()
        @Sendable @EventLoop func run() async {
            let witness = Witness(gone)
            await BlockingWork.run(lane) { witness.touch() }
        }
        // As a request runs: it goes on within the very callback that ends the work.
        let counts = await EventLoop.spawn {
            var counts: [Int] = []
            for _ in 1...20 {
                await run()
                counts.append(gone.count.load(ordering: .relaxed))
            }
            return counts
        }.value
        #expect(counts == Array(1...20))
    }

    /// So many calls in the lane of reads that end when the other end of the pipe is closed.
    private func readers(_ count: Int, of pipe: CInt) -> [Task<Void, Never>] {
        (0..<count).map { _ in
            EventLoop.spawn {
                _ = await BlockingWork.run(.read) {
                    var byte: UInt8 = 0
                    return unsafe Glibc.read(pipe, &byte, 1)
                }
            }
        }
    }

    @Test("of one lane never holds another's threads") func lanes() async {
        var pipe: [CInt] = [0, 0]
        unsafe Glibc.pipe(&pipe)
        let (readEnd, writeEnd) = (pipe[0], pipe[1])
        // More blocked reads than the lane has threads; they end only when the other lane's call has closed the pipe.
        let readers = self.readers(12, of: readEnd)
        await EventLoop.spawn { _ = await BlockingWork.run(.open) { Glibc.close(writeEnd) } }.value
        for reader in readers { await reader.value }
        Glibc.close(readEnd)
    }

    @Test("goes on when all threads of its lane hang") func hanging() async {
        var pipe: [CInt] = [0, 0]
        unsafe Glibc.pipe(&pipe)
        let (readEnd, writeEnd) = (pipe[0], pipe[1])
        let readers = self.readers(8, of: readEnd)
        // Of the same lane, behind them; and it ends them.
        await EventLoop.spawn { _ = await BlockingWork.run(.read) { Glibc.close(writeEnd) } }.value
        for reader in readers { await reader.value }
        Glibc.close(readEnd)
    }
}
