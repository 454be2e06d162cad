import Glibc
import TestSupport
import Testing
import UVServer

@testable import FileDrop

/// Somebody moves the folder of an upload while it is on its way. What is answered with success has to be found where it was sent to.
@EventLoop @Suite("A folder that is moved", .serialized) struct MovedFolderTests {
    /// What becomes of `drop/sub`.
    enum Move: CaseIterable {
        case out, away, hidden, replaced, removed
    }

    private let place: TemporaryFolder

    init() throws {
        self.place = try TemporaryFolder()
        for name in ["drop", "drop/sub", "drop/other", "outside"] { try self.place.makeFolder(name) }
    }

    private nonisolated func move(_ move: Move) {
        func rename(_ name: String) { _ = unsafe Glibc.rename(self.place.path(of: "drop/sub"), self.place.path(of: name)) }
        switch move {
        case .out: rename("outside/sub")
        case .away: rename("drop/other/sub")
        case .hidden: rename("drop/.trash")
        case .replaced:
            rename("drop/sub.old")
            try? self.place.makeFolder("drop/sub")
        case .removed: self.place.remove("drop/sub")
        }
    }

    /// Every file, wherever it is.
    private var files: [String: Int] { self.place.allFiles }

    private func path(_ text: String) throws -> DropPath { try #require(DropPath(encodedPath: text.utf8)) }

    private func begin(_ store: DropStore, large: Bool) async throws -> PendingUpload {
        let folder = try await store.targetFolder(self.path("/sub/"))
        var upload = try await store.beginUpload(in: folder, expectedBytes: large ? nil : 3)
        try await upload.write(.copying(Array("new".utf8)))
        return upload
    }

    /// What it is answered with, when it is refused.
    private func commit(
        _ upload: consuming PendingUpload, _ policy: DuplicatePolicy, expecting: FileStatus? = nil
    ) async throws -> StoreError? {
        let name = try #require(DropName("x".utf8))
        do throws(StoreError) {
            _ = try await upload.commit(as: name, onDuplicate: policy, expecting: expecting)
            return nil
        } catch {
            return error
        }
    }

    @Test("takes no upload that was meant for its old place", arguments: Move.allCases, [false, true])
    func before(move: Move, large: Bool) async throws {
        let store = try await DropStore(folder: self.place.path(of: "drop"))
        for policy in [DuplicatePolicy.rename, .error, .overwrite] {
            try? self.place.makeFolder("drop/sub")
            let upload = try await self.begin(store, large: large)
            self.move(move)
            let answer = try await self.commit(upload, policy)
            #expect(answer == (move == .replaced ? .moved : .notFound), "\(policy)")
            #expect(self.files.isEmpty, "\(policy)")
            for name in ["outside/sub", "drop/other/sub", "drop/.trash", "drop/sub.old"] { self.place.remove(name) }
        }
    }

    @Test("keeps what it has when that was to be replaced or deleted at its old place", arguments: Move.allCases)
    func replacing(move: Move) async throws {
        guard move != .removed else { return }
        try self.place.write("drop/sub/x", "older")
        let store = try await DropStore(folder: self.place.path(of: "drop"))
        guard case .file(_, let status, _) = try await store.open(try self.path("/sub/x")) else { throw TestFailure("no file") }
        let upload = try await self.begin(store, large: false)
        self.move(move)
        #expect(try await self.commit(upload, .error, expecting: status) == (move == .replaced ? .moved : .notFound))
        #expect(Array(self.files.values) == [5])
    }

    @Test("gives back an upload that had its name already when it was moved", arguments: Move.allCases)
    func after(move: Move) async throws {
        guard move != .removed else { return }
        var disk = DiskSync()
        disk.fileSystem = { (_, _) throws(UVError) in false }
        disk.folder = { (_) throws(UVError) in self.move(move) }
        let store = try await DropStore(folder: self.place.path(of: "drop"), disk: disk)
        let upload = try await self.begin(store, large: false)
        #expect(try await self.commit(upload, .rename) == (move == .replaced ? .moved : .notFound))
        #expect(self.files.isEmpty)
    }

    @Test("an upload stays in a folder that is reached by a link, or that was moved and is back") func stays() async throws {
        try self.place.makeLink("drop/link", to: "sub")
        let store = try await DropStore(folder: self.place.path(of: "drop"))
        let folder = try await store.targetFolder(self.path("/link/"))
        var upload = try await store.beginUpload(in: folder, expectedBytes: 3)
        try await upload.write(.copying(Array("new".utf8)))
        self.move(.out)
        _ = unsafe Glibc.rename(self.place.path(of: "outside/sub"), self.place.path(of: "drop/sub"))
        #expect(try await self.commit(upload, .error) == nil)
        #expect(self.place.text("drop/sub/x") == "new")
    }
}
