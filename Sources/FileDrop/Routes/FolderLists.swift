internal import Synchronization
internal import UVServer

/// The lists of folders. Who asks for the same one while others wait for it shares what is made for them: a crowd costs as little as
/// two, also when it has left again.
@EventLoop final class FolderLists {
    private struct Key: Hashable {
        let path: DropPath
        let form: Form
    }

    /// What is asked for of a folder.
    struct Form: Hashable, Sendable {
        let isJSON: Bool
        var part = ListPart.all
        /// What the address of the next part begins with, where there may be one.
        var query = ""
    }

    /// Files of lists that are kept or on their way.
    private final class FileCount: Sendable {
        let value = Atomic<Int>(0)
    }

    /// A list that is sent to several; it counts until the last of them has it.
    private final class Made: Sendable {
        private let bytes: [UInt8]
        /// Freeing what it takes on the disk must not hold up the loop.
        private let file: SharedFile?
        private let length: Int64
        private let share: SpoolRoom.Share
        private let files: FileCount

        init(_ content: consuming Spool.Content, _ files: FileCount) {
            switch consume content {
            case .bytes(let bytes, let share):
                self.file = nil
                (self.bytes, self.length, self.share) = (bytes, Int64(bytes.count), share)
            case .file(let file, let length, let share):
                self.file = SharedFile(file, size: length)
                (self.bytes, self.length, self.share) = ([], length, share)
            }
            self.files = files
            if self.file != nil { files.value.add(1, ordering: .relaxed) }
        }

        deinit { if self.file != nil { self.files.value.subtract(1, ordering: .relaxed) } }

        /// For one more of them.
        func body() throws(UVError) -> ResponseBody {
            guard let file = try self.file?.duplicate() else { return .bytes(self.bytes) }
            return .file(file, [.slice(ByteSlice(offset: 0, length: self.length))])
        }
    }

    /// The most that lists take together while they are made, kept and sent, in bytes. Past it, 503: those who read slowly must not fill
    /// a disk.
    struct Room: Equatable {
        /// In files.
        var disk: Int64 = 256 << 20
        /// Of short ones, and of those for which no disk has space.
        var memory: Int64 = 32 << 20
    }

    /// So many files of lists are kept, those that are on their way among them: each holds a descriptor.
    static let keptFiles = 8
    /// So many entries are written out in next to no time.
    private static let shortCount = 256

    private let files = FileCount()
    private let store: DropStore
    private let room: SpoolRoom
    private let makes = Coalescer<Key, Result<Made, StoreError>>()

    init(_ store: DropStore, room: Room = Room()) {
        self.store = store
        self.room = SpoolRoom(disk: room.disk, memory: room.memory)
    }

    /// How many were made or found as they were.
    var runs: Int { self.makes.runs }

    /// The answer with the list at `path`, as it was at some moment after the call.
    ///
    /// Whole lists are kept as they were made, and sent again as long as the folder is the same.
    /// - Parameter render: writes the list, on another thread; the same for all calls with this path and form.
    /// - Throws: as `DropStore.list`; `.busy` while lists take as many bytes as they may.
    func respond(
        _ path: DropPath, _ form: Form, _ render: @escaping @Sendable (FolderIndex, inout Spool) throws(UVError) -> Void
    ) async throws(StoreError) -> Response {
        let made = try await self.makes.value(for: Key(path: path, form: form)) {
            do throws(StoreError) { return .success(try await self.make(path, form, render)) } catch { return .failure(error) }
        }.get()
        var response: Response
        do throws(UVError) {
            let body = try made.body()
            response = form.isJSON ? Reply.json(.ok, body) : Reply.page(.ok, body)
        } catch {
            throw StoreError(error)
        }
        response.keeps = made
        return response
    }

    private func make(
        _ path: DropPath, _ form: Form, _ render: @escaping @Sendable (FolderIndex, inout Spool) throws(UVError) -> Void
    ) async throws(StoreError) -> Made {
        let snapshot = try await self.store.snapshot(path)
        if let made = snapshot.made[Key(path: path, form: form)] as? Made { return made }
        let index = snapshot.index
        let isShort = form.part.range(in: index).count <= Self.shortCount
        let made: Made
        do throws(StoreError) {
            made = try await self.write(isShort) { (spool) throws(UVError) in try render(index, &spool) }
        } catch {
            guard error == .busy else { throw error }
            // Those that nobody is reading make room.
            self.store.forgetMade()
            made = try await self.write(isShort) { (spool) throws(UVError) in try render(index, &spool) }
        }
        guard form.part == .all else { return made }
        if self.files.value.load(ordering: .relaxed) > Self.keptFiles { self.store.forgetMade() }
        snapshot.made[Key(path: path, form: form)] = made
        return made
    }

    private func write(
        _ isShort: Bool, _ render: @escaping @Sendable (inout Spool) throws(UVError) -> Void
    ) async throws(StoreError) -> Made {
        Made(try await self.store.spool(room: self.room, in: isShort ? .open : .list, render), self.files)
    }
}
