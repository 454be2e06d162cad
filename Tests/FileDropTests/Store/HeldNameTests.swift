import TestSupport
import Testing

@testable import FileDrop
@testable import UVServer

/// Another process holds the lock of a name, and may be stopped.
@EventLoop @Suite("A name that somebody holds", .serialized, .timeLimit(.minutes(1))) struct HeldNameTests {
    private let place: TemporaryFolder
    private let store: DropStore
    private let locks: LockFile
    private let offset: Int64
    /// The drop folder.
    private let folder: FileIdentity

    init() async throws {
        self.place = try TemporaryFolder()
        try self.place.write("held", "old")
        self.store = try await DropStore(folder: self.place.path)
        let folder = try Folder(path: self.place.path)
        self.locks = try LockFile(NameLock.fileName, in: try Folder(path: self.place.path(of: ".uvdrop")))
        self.offset = NameLock.offset(Array("held".utf8), in: folder.identity)
        self.folder = folder.identity
        try #require(try self.locks.lock(self.offset))
    }

    /// Uploads the files of one request, which replace what is there unless told otherwise.
    private func upload(
        _ names: String..., onDuplicate policy: DuplicatePolicy = .overwrite
    ) -> Task<Result<[String], StoreError>, Never> {
        EventLoop.spawn {
            do throws(StoreError) {
                let folder = try await self.store.targetFolder(.root)
                var finished: [FinishedUpload] = []
                for name in names.compactMap({ DropName($0.utf8) }) {
                    var upload = try await self.store.beginUpload(in: folder, expectedBytes: 3)
                    try await upload.write(.copying(Array("new".utf8)))
                    finished.append(try await upload.finish(as: name))
                }
                let stored = try await self.store.store(finished, onDuplicate: policy)
                return .success(stored.map { "\($0.name)\($0.replaced ? " replaced" : "")" })
            } catch {
                return .failure(error)
            }
        }
    }

    @Test("is waited for by the uploads that need it, and by no other upload") func uploads() async throws {
        let waiting = [self.upload("held"), self.upload("a", "held", "b")]
        let others = [self.upload("c"), self.upload("d", "e")]
        #expect(await others[0].value == .success(["c"]))
        #expect(await others[1].value == .success(["d", "e"]))
        // A later batch has nobody to wait for either.
        #expect(await self.upload("f").value == .success(["f"]))
        #expect(self.place.text("held") == "old")
        self.locks.unlock(self.offset)
        #expect(await waiting[0].value == .success(["held replaced"]))
        #expect(await waiting[1].value == .success(["a", "held replaced", "b"]))
        for name in ["a", "b", "c", "d", "e", "f", "held"] { #expect(self.place.text(name) == "new") }
    }

    @Test("is waited for by those who take it back, and by nobody else") func takingBack() async throws {
        let fresh = NameLock.offset(Array("fresh".utf8), in: self.folder)
        try #require(try self.locks.lock(fresh))
        // The second one is refused, and so the first must go.
        let refused = self.upload("fresh", "fresh", onDuplicate: .error)
        #expect(await self.upload("other").value == .success(["other"]))
        #expect(await self.upload("later").value == .success(["later"]))
        #expect(self.place.text("fresh") == "new")
        self.locks.unlock(fresh)
        #expect(await refused.value == .failure(.nameOfFileTaken(Array("fresh".utf8))))
        #expect(!self.place.exists("fresh") && self.place.text("held") == "old")
    }

    @Test("may come free when the folder is no longer in its place: nothing is stored then") func folderGone() async throws {
        let outer = try TemporaryFolder()
        let waiting = self.upload("held")
        #expect(await self.upload("c").value == .success(["c"]))
        let away = outer.path(of: "away")
        _ = try Command.run(["mv", self.place.path, away])
        self.locks.unlock(self.offset)
        #expect(await waiting.value == .failure(.away))
        #expect(outer.text("away/held") == "old")
        _ = try Command.run(["mv", away, self.place.path])
    }

    @Test("keeps nobody from another name, however much alike the numbers of their locks are") func likeNumbers() async throws {
        let names = (0..<100_000).lazy.map { "n\($0)" }
        let alike = names.filter { (NameLock.offset(Array($0.utf8), in: self.folder) ^ self.offset) & 0xFFF == 0 }
        let others = Array(alike.prefix(3))
        try #require(others.count == 3)
        let waiting = self.upload("held")
        // It is in the wait once a later batch is through.
        #expect(await self.upload("later").value == .success(["later"]))
        for name in others { #expect(await self.upload(name).value == .success([name])) }
        self.locks.unlock(self.offset)
        #expect(await waiting.value == .success(["held replaced"]))
    }

    @Test("is waited for by those who delete it, and by nobody who deletes another") func deletions() async throws {
        func delete(_ path: String) -> Task<StoreError?, Never> {
            EventLoop.spawn {
                guard let path = DropPath(encodedPath: path.utf8) else { return .notFound }
                do throws(StoreError) {
                    try await self.store.delete(path)
                    return nil
                } catch {
                    return error
                }
            }
        }
        try self.place.write("other", "x")
        // More than there are threads for deleting, or for waiting.
        let waiting = (0..<8).map { _ in delete("/held") }
        #expect(await delete("/other").value == nil)
        #expect(self.place.text("held") == "old" && !self.place.exists("other"))
        self.locks.unlock(self.offset)
        var outcomes: [StoreError?] = []
        for task in waiting { outcomes.append(await task.value) }
        #expect(outcomes.count { $0 == nil } == 1 && outcomes.count { $0 == .notFound } == 7)
        #expect(!self.place.exists("held"))
    }

    @Test(
        "is waited for also after the locks, or the folder they are in, were removed and made again by another process",
        arguments: [".uvdrop", ".uvdrop/names.lock"])
    func locksMadeAgain(removed: String) async throws {
        self.locks.unlock(self.offset)
        #expect(await self.upload("held").value == .success(["held replaced"]))
        try self.place.write("held", "old")
        self.place.remove(removed)
        try Folder.make(path: self.place.path(of: ".uvdrop"), mode: 0o700)
        let again = try LockFile(NameLock.fileName, in: try Folder(path: self.place.path(of: ".uvdrop")))
        try #require(try again.lock(self.offset))
        let waiting = self.upload("held")
        #expect(await self.upload("other").value == .success(["other"]))
        #expect(await self.upload("later").value == .success(["later"]))
        #expect(self.place.text("held") == "old")
        again.unlock(self.offset)
        #expect(await waiting.value == .success(["held replaced"]))
    }

    @Test("removed locks are made again, in a place that nobody has put there meanwhile") func locksRemoved() async throws {
        self.locks.unlock(self.offset)
        self.place.remove(".uvdrop")
        #expect(await self.upload("held").value == .success(["held replaced"]))
        #expect(self.place.names(".uvdrop") == ["names.lock"] && self.place.mode(".uvdrop") == 0o700)
        self.place.remove(".uvdrop")
        try self.place.makeFolder("elsewhere")
        try self.place.makeLink(".uvdrop", to: "elsewhere")
        #expect(await self.upload("held").value == .success(["held replaced"]))
        #expect(self.place.names("elsewhere") == [])
    }
}
