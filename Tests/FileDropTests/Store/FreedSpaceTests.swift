import TestSupport
import Testing

@testable import FileDrop
@testable import UVServer

/// The space of a large file is freed by who closes it last, which takes long. So it is freed on a pool thread before that, which shows as
/// a file without content that somebody still holds.
@EventLoop @Suite("An upload that is not stored gives back its space", .serialized) struct FreedSpaceTests {
    private let place: TemporaryFolder
    private let failure = UVError(code: -5, call: "fsync")
    /// What has been synced, still held.
    private let held = PosixMutex<[UploadFile]>([])

    init() throws {
        self.place = try TemporaryFolder()
        try self.place.makeFolder("f")
    }

    /// Of small files the sync fails, of others it does not.
    private func makeStore() async throws -> DropStore {
        var disk = DiskSync()
        disk.file = { (file, _) throws(UVError) in
            self.held.withLock { $0.append(file) }
            if try file.temporary.file.status().size < 100 { throw self.failure }
        }
        return try await DropStore(folder: self.place.path, disk: disk)
    }

    private func upload(_ store: DropStore, bytes: Int, announced: Int64?) async throws -> PendingUpload {
        let folder = try await store.targetFolder(try #require(DropPath(encodedPath: "/f/".utf8)))
        var upload = try await store.beginUpload(in: folder, expectedBytes: announced)
        try await upload.write(.copying([UInt8](repeating: 7, count: bytes)))
        return upload
    }

    private func large(_ store: DropStore) async throws -> PendingUpload {
        try await self.upload(store, bytes: 100_000, announced: nil)
    }

    private func small(_ store: DropStore) async throws -> PendingUpload {
        try await self.upload(store, bytes: 5, announced: 5)
    }

    private func sizes() throws -> [Int64] { try self.held.withLock { $0 }.map { try $0.temporary.file.status().size } }

    private func name(_ text: String) throws -> DropName { try #require(DropName(text.utf8)) }

    @Test("when another file of its form cannot be written or synced", arguments: [false, true], [false, true])
    func form(largeFirst: Bool, folderGone: Bool) async throws {
        let store = try await self.makeStore()
        var finished = [try await self.large(store).finish(as: self.name("large"))]
        let small = try await self.small(store).finish(as: self.name("small"))
        finished.insert(small, at: largeFirst ? 1 : 0)
        #expect(try self.sizes() == [100_000])
        if folderGone { self.place.remove("f") }
        do throws(StoreError) {
            _ = try await store.store(finished, onDuplicate: .error)
            Issue.record("it was stored")
        } catch {
            #expect(error == (folderGone ? .notFound : .io(self.failure)))
        }
        #expect(try self.sizes() == (folderGone ? [0] : [0, 0]))
        #expect(self.place.names("f").isEmpty)
    }

    @Test("when another file of its form has a name that is refused") func refusedName() async throws {
        let store = try await self.makeStore()
        let files = FormFiles(UploadSlots(1))
        files.append(try self.name("large"), try await self.large(store))
        files.append(try self.name(".hidden"), try await self.small(store))
        do throws(StoreError) {
            _ = try await files.commit(to: store, onDuplicate: .error)
            Issue.record("it was stored")
        } catch {
            guard case .badName = error else { throw error }
        }
        #expect(try self.sizes() == [0])
        #expect(self.place.names("f").isEmpty)
    }
}
