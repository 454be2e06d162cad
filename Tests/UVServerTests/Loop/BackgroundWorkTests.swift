import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("Background work") struct BackgroundWorkTests {
    /// The priority of the calling thread: 0 unless told otherwise, higher means later.
    private static var niceness: CInt { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test("has a lower priority than all else, which keeps its own", arguments: 0..<3) @EventLoop
    func priority(round: Int) async {
        let own = Self.niceness
        for lane in BlockingWork.Lane.allCases {
            let isBackground = lane == .list || lane == .walk
            #expect(await BlockingWork.run(lane) { Self.niceness } == (isBackground ? min(19, own + 10) : own), "\(lane)")
        }
        #expect(Self.niceness == own)
    }

    @Test("takes two threads at most, tells its failures, and leaves none behind") @EventLoop
    func threads() async throws {
        let most = PosixMutex((running: 0, most: 0))
        let tasks = (0..<20).map { _ in
            EventLoop.spawn {
                await BlockingWork.run(.list) {
                    most.withLock { $0 = ($0.running + 1, max($0.most, $0.running + 1)) }
                    sched_yield()
                    most.withLock { $0.running -= 1 }
                }
            }
        }
        for task in tasks { await task.value }
        #expect(most.withLock { $0.most } <= 2)
        await #expect(throws: UVError(code: -EIO, call: "read")) {
            try await BlockingWork.run(.list) { () throws(UVError) in throw UVError(code: -EIO, call: "read") }
        }
    }
}
