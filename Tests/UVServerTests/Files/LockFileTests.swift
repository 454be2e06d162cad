import TestSupport
import Testing

@testable import UVServer

@Suite("A lock file") struct LockFileTests {
    @Test("lets one holder after another have a byte, also within one process, and leaves the other bytes alone")
    func exclusion() async throws {
        let place = try TemporaryFolder()
        let folder = try Folder(path: place.path)
        let locks = try [LockFile(Array("locks".utf8), in: folder), LockFile(Array("locks".utf8), in: folder)]
        try #require(try locks[0].lock(Int64.max >> 1))
        #expect(try locks[1].lock(0))
        locks[1].unlock(0)
        // 2,000 additions by read and write, each under the lock: none is lost.
        try place.write("count", "0")
        locks[0].unlock(Int64.max >> 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lock in locks {
                group.addTask {
                    for _ in 0..<1000 {
                        let isLocked = try lock.lock(7)
                        #expect(isLocked)
                        let count = place.text("count").flatMap { Int($0) } ?? -1
                        try? place.write("count", "\(count + 1)")
                        lock.unlock(7)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(place.text("count") == "2000")
    }

    @Test("says at once of a byte that somebody has that it is held") func attempts() throws {
        let place = try TemporaryFolder()
        let folder = try Folder(path: place.path)
        let locks = try [LockFile(Array("locks".utf8), in: folder), LockFile(Array("locks".utf8), in: folder)]
        #expect(try locks[0].tryLock(7) == .locked)
        #expect(try locks[1].tryLock(7) == .held && locks[1].tryLock(8) == .locked)
        locks[0].unlock(7)
        #expect(try locks[1].tryLock(7) == .locked)
    }

    @Test("is no symlink, and is there only once") func opening() throws {
        let place = try TemporaryFolder()
        let folder = try Folder(path: place.path)
        try place.makeLink("link", to: "elsewhere")
        #expect(throws: UVError.self) { try LockFile(Array("link".utf8), in: folder) }
        _ = try LockFile(Array("locks".utf8), in: folder)
        #expect(place.names() == ["link", "locks"] && place.mode("locks") == 0o600)
    }
}
