import Glibc
import TestSupport
import Testing
import UVServer

@testable import FileDrop

@EventLoop @Suite("DropStore", .serialized) struct DropStoreTests {
    private let place: TemporaryFolder

    init() throws {
        self.place = try TemporaryFolder()
        try self.place.makeFolder("drop")
    }

    private func store(
        showsHidden: Bool = false, durability: Durability = .full, usesOpenat2: Bool = true, allowsUnnamed: Bool = true
    ) async throws(StoreStartError) -> DropStore {
        try await DropStore(
            folder: self.place.path(of: "drop"), showsHidden: showsHidden, durability: durability, usesOpenat2: usesOpenat2,
            allowsUnnamed: allowsUnnamed)
    }

    private func path(_ encoded: String) throws -> DropPath { try #require(DropPath(encodedPath: encoded.utf8)) }

    private func upload(
        _ store: DropStore, _ name: String, _ content: String, _ policy: DuplicatePolicy = .rename, in folder: String = "/",
        expecting: FileStatus? = nil
    ) async throws -> String {
        let name = try #require(DropName(name.utf8))
        var upload = try await store.beginUpload(in: try await store.targetFolder(try self.path(folder)), expectedBytes: 1000)
        try await upload.write(.copying(Array(content.utf8)))
        let (stored, replaced) = try await upload.commit(as: name, onDuplicate: policy, expecting: expecting)
        return replaced ? "\(stored) replaced" : "\(stored)"
    }

    private func open(_ store: DropStore, _ encoded: String) async throws -> String {
        switch try await store.open(try self.path(encoded)) {
        case .file(_, let status, _): return "file \(status.size)"
        case .folder: return "folder"
        }
    }

    private func names(_ store: DropStore, _ encoded: String = "/") async throws -> [String] {
        try await store.list(try self.path(encoded)).map(\.name.description)
    }

    @Test("says what is wrong with the folder at the start") func starting() async throws {
        try self.place.write("file", "")
        await #expect(throws: StoreStartError.missing(folder: "/nowhere/at/all")) {
            try await DropStore(folder: "/nowhere/at/all")
        }
        await #expect(throws: StoreStartError.notFolder(self.place.path(of: "file"))) {
            try await DropStore(folder: self.place.path(of: "file"))
        }
        await #expect(throws: StoreStartError.stateIsFolder(self.place.path(of: "drop"))) {
            try await DropStore(folder: self.place.path(of: "drop"), stateFolder: self.place.path(of: "drop"))
        }
        await #expect(throws: StoreStartError.self) { try await DropStore(folder: "/proc") }
        _ = try await DropStore(folder: self.place.path(of: "drop"), readOnly: true)
        #expect(self.place.names("drop") == [])
        _ = try await self.store()
        #expect(self.place.names("drop") == [".uvdrop"])
        #expect(self.place.mode("drop/.uvdrop") == 0o700)
    }

    @Test("a file that is uploaded can be listed, opened and deleted", arguments: [true, false], Durability.allCases)
    func roundTrip(unnamed: Bool, durability: Durability) async throws {
        let store = try await self.store(durability: durability, allowsUnnamed: unnamed)
        #expect(try await self.upload(store, "a.txt", "hello") == "a.txt")
        #expect(self.place.text("drop/a.txt") == "hello")
        #expect(self.place.mode("drop/a.txt") == 0o644)
        #expect(try await self.names(store) == ["a.txt"])
        #expect(try await self.open(store, "/a.txt") == "file 5")
        try await store.delete(try self.path("/a.txt"))
        #expect(self.place.names("drop") == [".uvdrop"])
    }

    @Test("a dropped upload leaves nothing", arguments: [true, false]) func dropped(unnamed: Bool) async throws {
        let store = try await self.store(allowsUnnamed: unnamed)
        let before = self.place.openDescriptors()
        do {
            var upload = try await store.beginUpload(in: try await store.targetFolder(.root), expectedBytes: nil)
            try await upload.write(.copying([1, 2, 3]))
            #expect(upload.bytesWritten == 3)
            #expect(try await self.names(store) == [])
        }
        do {
            var upload = try await store.beginUpload(in: try await store.targetFolder(.root), expectedBytes: 100)
            try await upload.write(.copying([1, 2, 3]))
            await upload.discard()
        }
        #expect(self.place.openDescriptors() == before)
        #expect(self.place.names("drop") == [".uvdrop"])
        #expect(self.place.names("drop/.uvdrop") == ["names.lock"])
    }

    @Test("every photo called image.jpg is kept", arguments: [true, false]) func duplicates(unnamed: Bool) async throws {
        let store = try await self.store(allowsUnnamed: unnamed)
        var stored: [String] = []
        for content in ["1", "2", "3"] { stored.append(try await self.upload(store, "image.jpg", content)) }
        #expect(stored == ["image.jpg", "image (1).jpg", "image (2).jpg"])
        #expect(self.place.text("drop/image.jpg") == "1")
        #expect(self.place.text("drop/image (1).jpg") == "2")
        #expect(self.place.text("drop/image (2).jpg") == "3")
    }

    @Test("a name of which more copies are there than anyone would count gets a free number") func manyDuplicates() async throws {
        let store = try await self.store(durability: .none)
        try self.place.write("drop/a.jpg", "0")
        for number in 1...10_000 { try self.place.write("drop/a (\(number)).jpg", "") }
        #expect(try await self.upload(store, "a.jpg", "new") == "a (10001).jpg")
        #expect(try await self.upload(store, "a.jpg", "newer") == "a (10002).jpg")
        #expect(self.place.text("drop/a.jpg") == "0" && self.place.text("drop/a (10000).jpg") == "")
    }

    @Test("the policy decides about a taken name", arguments: [true, false]) func policies(unnamed: Bool) async throws {
        let store = try await self.store(allowsUnnamed: unnamed)
        try self.place.makeFolder("drop/folder")
        try self.place.write("drop/x", "old")
        await #expect(throws: StoreError.nameTaken) { try await self.upload(store, "x", "new", .error) }
        #expect(self.place.text("drop/x") == "old")
        #expect(try await self.upload(store, "x", "new", .overwrite) == "x replaced")
        #expect(self.place.text("drop/x") == "new")
        #expect(try await self.upload(store, "y", "new", .overwrite) == "y")
        await #expect(throws: StoreError.nameTaken) { try await self.upload(store, "folder", "new", .overwrite) }
        #expect(try await self.upload(store, "folder", "new", .rename) == "folder (1)")
        #expect(self.place.names("drop") == [".uvdrop", "folder", "folder (1)", "x", "y"])
    }

    @Test("replaces only the file that was expected") func expecting() async throws {
        let store = try await self.store()
        try self.place.write("drop/x", "old")
        guard case .file(_, let status, _) = try await store.open(try self.path("/x")) else {
            Issue.record("not a file")
            return
        }
        #expect(try await self.upload(store, "x", "newer", .error, expecting: status) == "x replaced")
        await #expect(throws: StoreError.changed) { try await self.upload(store, "x", "late", .error, expecting: status) }
        await #expect(throws: StoreError.changed) { try await self.upload(store, "z", "late", .error, expecting: status) }
        #expect(self.place.text("drop/x") == "newer")
    }

    @Test("replaces a link whose file was expected, and not the file") func expectingLink() async throws {
        let store = try await self.store()
        try self.place.write("drop/file", "old")
        try self.place.makeLink("drop/link", to: "file")
        guard case .file(_, let status, _) = try await store.open(try self.path("/link")) else {
            Issue.record("not a file")
            return
        }
        #expect(try await self.upload(store, "link", "new", .error, expecting: status) == "link replaced")
        await #expect(throws: StoreError.changed) { try await self.upload(store, "link", "late", .error, expecting: status) }
        #expect(self.place.text("drop/link") == "new")
        #expect(self.place.text("drop/file") == "old")
        #expect(!self.place.isLink("drop/link"))
    }

    @Test("a decomposed name on disk is opened, replaced and deleted by its composed one") func forms() async throws {
        let store = try await self.store()
        let (composed, decomposed) = ("\u{B9E5}.txt", "\u{1106}\u{1162}\u{11A8}.txt")
        try self.place.write("drop/\(decomposed)", "abc")
        #expect(try await self.open(store, "/%EB%A7%A5.txt") == "file 3")
        let listed = try #require(try await store.list(.root).first)
        #expect(listed.name.bytes == Array(decomposed.utf8))
        #expect(try await self.open(store, DropPath.root.appending(listed.name).url) == "file 3")
        await #expect(throws: StoreError.nameTaken) { try await self.upload(store, composed, "new", .error) }
        #expect(try await self.upload(store, composed, "new!", .overwrite) == "\(decomposed) replaced")
        try await store.delete(try self.path("/%EB%A7%A5.txt"))
        #expect(try await self.names(store) == [])
        #expect(try await self.upload(store, decomposed, "x") == composed)
        #expect(try await store.list(.root).first?.name.bytes == Array(composed.utf8))
        #expect(try await self.open(store, "/%E1%84%86%E1%85%A2%E1%86%A8.txt") == "file 1")
        try self.place.makeFolder("drop/d\u{1106}\u{1162}")
        #expect(try await self.upload(store, "in", "x", in: "/d%EB%A7%A4/") == "in")
        #expect(try await self.open(store, "/d%EB%A7%A4/in") == "file 1")
    }

    @Test("names of 255 bytes work, with their duplicates; longer ones are refused") func lengths() async throws {
        let store = try await self.store()
        let name = String(repeating: "A", count: 251) + ".txt"
        #expect(try await self.upload(store, name, "1") == name)
        #expect(try await self.upload(store, name, "2") == String(repeating: "A", count: 247) + " (1).txt")
        let root = try await store.targetFolder(.root)
        #expect(throws: StoreError.nameTooLong) { try store.newName(Array(name.utf8) + [0x41], in: root) }
        #expect(DropPath(encodedPath: ("/" + String(repeating: "A", count: 300)).utf8) == nil)
    }

    @Test("links are followed inside only, and uploads never write through them", arguments: [true, false])
    func links(usesOpenat2: Bool) async throws {
        let store = try await self.store(usesOpenat2: usesOpenat2)
        try self.place.makeFolder("drop-secret")
        try self.place.write("drop-secret/x", "secret")
        try self.place.write("drop/a", "abc")
        try self.place.makeFolder("drop/folder")
        try self.place.makeLink("drop/in", to: "a")
        try self.place.makeLink("drop/out", to: "../drop-secret/x")
        try self.place.makeLink("drop/etc", to: "/etc/hostname")
        try self.place.makeLink("drop/tofolder", to: "folder")
        try self.place.makeLink("drop/state", to: ".uvdrop")
        try self.place.makePipe("drop/pipe")
        #expect(try await self.names(store) == ["folder", "tofolder", "a", "in"])
        #expect(try await self.open(store, "/in") == "file 3")
        for path in ["/out", "/etc", "/pipe", "/state", "/.uvdrop", "/a/", "/a/b", "/nothing"] {
            await #expect(throws: StoreError.notFound, "\(path)") { try await self.open(store, path) }
        }
        #expect(try await self.upload(store, "out", "mine") == "out (1)")
        #expect(try await self.upload(store, "out", "mine", .overwrite) == "out replaced")
        #expect(!self.place.isLink("drop/out"))
        #expect(self.place.text("drop-secret/x") == "secret")
        await #expect(throws: StoreError.nameTaken) { try await self.upload(store, "tofolder", "mine", .overwrite) }
        await #expect(throws: StoreError.nameTaken) { try await self.upload(store, "pipe", "mine", .overwrite) }
        try await store.delete(try self.path("/in"))
        #expect(self.place.text("drop/a") == "abc")
        await #expect(throws: StoreError.notFound) { try await store.delete(try self.path("/pipe")) }
        await #expect(throws: StoreError.notFolder) { try await store.list(try self.path("/a")) }
        await #expect(throws: StoreError.notFolder) { try await self.upload(store, "x", "y", in: "/a/") }
        await #expect(throws: StoreError.notFound) { try await self.upload(store, "x", "y", in: "/nothing/") }
    }

    @Test("a name is decoded once") func decodedOnce() async throws {
        let store = try await self.store()
        try self.place.write("drop/%41.txt", "1")
        try self.place.write("drop/A.txt", "22")
        #expect(try await self.open(store, "/%2541.txt") == "file 1")
        #expect(try await self.open(store, "/%41.txt") == "file 2")
        await #expect(throws: StoreError.notFound) { try await self.open(store, "/.%252e/.%252e/etc/passwd") }
    }

    @Test("hidden and reserved names are reached by nothing") func hidden() async throws {
        try self.place.write("drop/.secret", "x")
        try self.place.makeFolder("drop/-")
        try self.place.write("drop/-/x", "x")
        try self.place.write("drop/delete", "x")
        let store = try await self.store()
        for path in ["/.secret", "/-/", "/-/x", "/delete", "/.uvdrop/"] {
            await #expect(throws: StoreError.notFound, "\(path)") { try await self.open(store, path) }
            await #expect(throws: StoreError.notFound, "\(path)") { try await store.delete(try self.path(path)) }
        }
        #expect(try await self.names(store) == ["-", "delete"])
        for name in [".new", "-", "delete", ".uvdrop"] {
            await #expect(throws: StoreError.self, "\(name)") { try await self.upload(store, name, "x") }
        }
        let open = try await self.store(showsHidden: true)
        #expect(try await self.names(open) == ["-", ".secret", "delete"])
        #expect(try await self.upload(open, ".new", "x") == ".new")
        for name in ["-", "delete", ".uvdrop", ".uvdrop-a.part"] {
            await #expect(throws: StoreError.self, "\(name)") { try await self.upload(open, name, "x") }
        }
        await #expect(throws: StoreError.notFound) { try await self.open(open, "/.uvdrop/") }
        await #expect(throws: StoreError.notFound) { try await open.delete(try self.path("/.uvdrop/")) }
    }

    @Test("deletes empty folders only") func folders() async throws {
        let store = try await self.store()
        try self.place.makeFolder("drop/f")
        try self.place.write("drop/f/x", "")
        await #expect(throws: StoreError.folderNotEmpty) { try await store.delete(try self.path("/f/")) }
        await #expect(throws: StoreError.notFound) { try await store.delete(try self.path("/f/x/")) }
        try await store.delete(try self.path("/f/x"))
        try await store.delete(try self.path("/f"))
        await #expect(throws: StoreError.notFound) { try await store.delete(try self.path("/f")) }
        await #expect(throws: StoreError.forbidden) { try await store.delete(.root) }
    }

    @Test("says before the first byte that the disk has not enough space") func diskFull() async throws {
        let store = try await self.store()
        let root = try await store.targetFolder(.root)
        await #expect(throws: StoreError.diskFull) { _ = try await store.beginUpload(in: root, expectedBytes: 1 << 43) }
        #expect(self.place.names("drop/.uvdrop") == ["names.lock"])
    }

    @Test("keeps free what it was told to, whether an upload's size is known before or not", arguments: [nil, 10, 1 << 20])
    func keptFree(expected: Int64?) async throws {
        let store = try await DropStore(folder: self.place.path(of: "drop"), keptFree: 1 << 60)
        let root = try await store.targetFolder(.root)
        await #expect(throws: StoreError.diskFull) {
            var upload = try await store.beginUpload(in: root, expectedBytes: expected)
            try await upload.write(.copying([1]))
        }
        #expect(self.place.names("drop") == [".uvdrop"] && self.place.names("drop/.uvdrop") == ["names.lock"])
    }

    @Test("a read-only store writes nothing") func readOnly() async throws {
        try self.place.write("drop/a", "abc")
        let store = try await DropStore(folder: self.place.path(of: "drop"), readOnly: true)
        await #expect(throws: StoreError.forbidden) { try await self.upload(store, "x", "y") }
        await #expect(throws: StoreError.forbidden) { try await store.delete(try self.path("/a")) }
        #expect(try await self.open(store, "/a") == "file 3")
    }

    @Test("the usual state folder is no link, and one that was given may be", arguments: [false, true])
    func stateLink(readOnly: Bool) async throws {
        try self.place.makeFolder("elsewhere")
        try self.place.makeLink("drop/.uvdrop", to: "../elsewhere")
        let drop = self.place.path(of: "drop")
        await #expect(throws: StoreStartError.stateFolder(drop + "/.uvdrop", cause: UVError(code: -ENOTDIR, call: "open"))) {
            try await DropStore(folder: drop, readOnly: readOnly)
        }
        #expect(self.place.names("elsewhere") == [])
        _ = try await DropStore(folder: drop, stateFolder: drop + "/.uvdrop", readOnly: readOnly)
        #expect(self.place.names("elsewhere") == (readOnly ? [] : ["names.lock"]))
    }

    @Test("keeps out of the usual state folder also when its own is elsewhere", arguments: [true, false])
    func otherState(usesOpenat2: Bool) async throws {
        try self.place.makeFolder("drop/.uvdrop")
        try self.place.write("drop/.uvdrop/secret", "x")
        try self.place.makeLink("drop/link", to: ".uvdrop")
        try self.place.makeFolder("state")
        let store = try await DropStore(
            folder: self.place.path(of: "drop"), stateFolder: self.place.path(of: "state"), showsHidden: true,
            usesOpenat2: usesOpenat2)
        for path in ["/.uvdrop", "/.uvdrop/", "/.uvdrop/secret", "/link/secret", "/link"] {
            await #expect(throws: StoreError.notFound, "\(path)") { try await self.open(store, path) }
        }
        #expect(try await self.names(store) == [])
        await #expect(throws: StoreError.notFound) { try await store.delete(try self.path("/.uvdrop/secret")) }
        await #expect(throws: StoreError.self) { try await self.upload(store, ".uvdrop", "x", .overwrite) }
    }

    @Test("names that are the server's own are refused also through a link that leads to the root")
    func reservedByLink() async throws {
        let store = try await self.store(showsHidden: true)
        try self.place.makeFolder("drop/sub")
        try self.place.makeLink("drop/sub/up", to: "..")
        for name in ["-", "delete", ".uvdrop"] {
            await #expect(throws: StoreError.self, "\(name)") { try await self.upload(store, name, "x", in: "/sub/up/") }
        }
        #expect(try await self.upload(store, "-", "x", in: "/sub/") == "-")
    }

    @Test("replaces files also after its state folder was deleted") func stateGone() async throws {
        let store = try await self.store()
        #expect(try await self.upload(store, "x", "1") == "x")
        self.place.remove("drop/.uvdrop")
        #expect(try await self.upload(store, "x", "2", .overwrite) == "x replaced")
        #expect(self.place.text("drop/x") == "2")
    }

    @Test("deletes only the file that was expected") func deletingExpected() async throws {
        let store = try await self.store()
        try self.place.write("drop/x", "old")
        guard case .file(_, let status, _) = try await store.open(try self.path("/x")) else { throw TestFailure("not a file") }
        try self.place.write("drop/x", "changed")
        await #expect(throws: StoreError.changed) { try await store.delete(try self.path("/x"), expecting: status) }
        #expect(self.place.text("drop/x") == "changed")
        guard case .file(_, let now, _) = try await store.open(try self.path("/x")) else { throw TestFailure("not a file") }
        try await store.delete(try self.path("/x"), expecting: now)
        #expect(!self.place.exists("drop/x"))
    }

    @Test("a file whose lease has to be waited for holds up no other") func lease() async throws {
        let store = try await self.store()
        try self.place.write("drop/held", "abc")
        try self.place.write("drop/free", "abcd")
        let holder = unsafe Glibc.open(self.place.path(of: "drop/held"), O_RDWR | O_CLOEXEC)
        // The kernel asks for the lease by a signal, and this one is ignored unless handled.
        #expect(fcntl(holder, 10, SIGURG) == 0 && fcntl(holder, 1024, CInt(F_WRLCK)) == 0, "F_SETSIG, F_SETLEASE")
        let held = try self.path("/held")
        let waiting = (0..<8).map { _ in
            EventLoop.spawn {
                do { _ = try await store.open(held) } catch { Issue.record("\(error)") }
            }
        }
        // Until the kernel has asked for it (F_GETLEASE).
        let limit = monotonicSeconds() + Double(patienceSeconds)
        while fcntl(holder, 1025) == CInt(F_WRLCK), monotonicSeconds() < limit { await EventLoop.spawn {}.value }
        #expect(try await self.open(store, "/free") == "file 4")
        #expect(try await self.upload(store, "new", "x") == "new")
        #expect(fcntl(holder, 1025) != CInt(F_UNLCK), "it is still held")
        close(holder)
        for task in waiting { await task.value }
    }
}
