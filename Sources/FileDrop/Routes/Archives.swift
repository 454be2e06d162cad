internal import Synchronization
internal import UVServer

/// The archives that are made. Each holds two blocks of memory, an open file and a list of what belongs into it, for as long as its client
/// takes: so there is a most of them.
@EventLoop final class Archives {
    /// So many at once, of all workers together.
    nonisolated static let limit = 32
    /// What their lists take together, in bytes.
    nonisolated static let room = FolderLists.Room(disk: 64 << 20, memory: 8 << 20)

    private let store: DropStore
    private let room: SpoolRoom
    private let limit: Int
    private let count = Count()

    private final class Count: Sendable {
        let value = Atomic<Int>(0)
    }

    /// One of them, until it is let go of.
    private final class Slot: Sendable {
        private let count: Count

        init(_ count: Count) {
            self.count = count
            count.value.add(1, ordering: .relaxed)
        }

        deinit { self.count.value.subtract(1, ordering: .relaxed) }
    }

    private final class Flag: Sendable {
        let value = Atomic<Bool>(false)
    }

    init(_ store: DropStore, limit: Int = Archives.limit, room: FolderLists.Room = Archives.room) {
        self.store = store
        self.limit = limit
        self.room = SpoolRoom(disk: room.disk, memory: room.memory)
    }

    /// - Throws: `.busy` past the limit; as `DropStore.archive`.
    func make(
        _ selection: DropStore.Selection, _ format: ArchiveFormat, for request: Request
    ) async throws(StoreError) -> ResponseBody {
        guard self.count.value.load(ordering: .relaxed) < self.limit else { throw .busy }
        let slot = Slot(self.count)
        // Nobody goes through a large folder for a client that has left.
        let isStopped = Flag()
        let watch = LoopTimer(every: .milliseconds(250)) {
            if request.isAbandoned { isStopped.value.store(true, ordering: .relaxed) }
        }
        defer { watch.stop() }
        let writer = format.writer(wallSeconds: Machine.wallSeconds(at:))
        let maker = try await self.store.archive(selection, writer, room: self.room) { isStopped.value.load(ordering: .relaxed) }
        return .made(ArchiveBody(maker, slot), length: maker.length)
    }
}
