import Testing
import UVServer

@testable import FileDrop

@Suite("What a process may take") struct WorkerSharesTests {
    @Test(
        "leaves room for answers beside all connections", arguments: [20, 26, 64, 200, 256, 1024, 20_000, 1 << 20], [1, 2, 64])
    func descriptors(count: Int, workers: Int) {
        let shares = WorkerShares(workers: workers, descriptors: count)
        let limits = shares.limits(Configuration(folder: "", maxSize: nil))
        #expect(limits.descriptors + shares.formFiles < count)
        #expect(limits.connections >= 4 && shares.formFiles >= 5)
        // At least one answer for every four connections.
        #expect(limits.descriptors - limits.connections >= limits.connections / 2)
    }

    @Test("is ten thousand connections of twenty thousand descriptors, as each of two workers, too", arguments: [1, 2])
    func many(workers: Int) {
        let limits = WorkerShares(workers: workers, descriptors: 20_000).limits(Configuration(folder: "", maxSize: nil))
        #expect(limits.connections > 10_000)
    }

    @Test("is its share, rounded up, of the connections that are asked for, and never more than there is room for") func asked() {
        func limits(_ most: Int?, _ each: Int?, workers: Int) -> RequestLimits {
            WorkerShares(workers: workers, descriptors: 1024).limits(
                Configuration(folder: "", maxConnections: most, maxConnectionsPerAddress: each))
        }
        let usual = limits(nil, nil, workers: 3)
        #expect(usual.connectionsPerAddress == nil)
        #expect(limits(100, 10, workers: 3).connections == 34 && limits(100, 10, workers: 3).connectionsPerAddress == 4)
        #expect(limits(1, 1, workers: 3).connections == 1 && limits(1, 1, workers: 3).connectionsPerAddress == 1)
        #expect(limits(.max, .max, workers: 2).connections == usual.connections)
        #expect(limits(-1, -1, workers: 2).connections == 1)
    }

    @Test("is that of a single process where the number of workers is none", arguments: [0, -1, Int.min])
    func none(workers: Int) {
        let (shares, single) = (WorkerShares(workers: workers, descriptors: 1024), WorkerShares(workers: 1, descriptors: 1024))
        #expect(shares.formFiles == single.formFiles && shares.listRoom == single.listRoom)
        #expect(
            shares.limits(Configuration(folder: "", maxSize: nil)).connections
                == single.limits(Configuration(folder: "", maxSize: nil)).connections)
    }

    @Test("of what all share is a part, which is enough for one")
    func parts() {
        func room(_ workers: Int) -> FolderLists.Room { WorkerShares(workers: workers, descriptors: 1024).listRoom }
        #expect(room(1) == FolderLists.Room())
        #expect(room(4) == FolderLists.Room(disk: 64 << 20, memory: 8 << 20))
        #expect(room(256) == FolderLists.Room(disk: 32 << 20, memory: 8 << 20))
        let archives = [1, 4, 256].map { WorkerShares(workers: $0, descriptors: 1024).archives }
        #expect(archives == [32, 8, 4])
        #expect(WorkerShares(workers: 1, descriptors: 1024).archiveRoom == Archives.room)
        #expect(WorkerShares(workers: 256, descriptors: 1024).archiveRoom == FolderLists.Room(disk: 16 << 20, memory: 2 << 20))
        let many = WorkerShares(workers: 4, descriptors: 1 << 20)
        #expect(many.limits(Configuration(folder: "", maxSize: 1)).connections == 8192 && many.formFiles == 4096)
    }
}
