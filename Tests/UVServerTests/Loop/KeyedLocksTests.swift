import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("Locks by key") struct KeyedLocksTests {
    @Test("a key has one holder at a time, and the others have theirs") func exclusion() {
        let locks = KeyedLocks<Int>()
        #expect(locks.tryLock(1))
        #expect(!locks.tryLock(1) && locks.tryLock(2))
        locks.unlock(1)
        #expect(locks.tryLock(1) && !locks.tryLock(2))
    }

    @Test("those who wait for a key get it one after the other") func waiting() async {
        let locks = KeyedLocks<Int>()
        let counts = PosixMutex([0, 0, 0])
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<6 {
                group.addTask {
                    for _ in 0..<500 {
                        let key = task % 3
                        locks.lock(key)
                        // Apart, so that an addition is lost when two are in here.
                        let count = counts.withLock { $0[key] }
                        sched_yield()
                        counts.withLock { $0[key] = count + 1 }
                        locks.unlock(key)
                    }
                }
            }
        }
        #expect(counts.withLock { $0 } == [1000, 1000, 1000])
    }
}
