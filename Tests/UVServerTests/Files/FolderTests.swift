import Glibc
import Synchronization
import TestSupport
import Testing

@testable import UVServer

@Suite("Folder") struct FolderTests {
    private static func elements(_ path: String) -> [[UInt8]] { path.split(separator: "/").map { Array($0.utf8) } }

    private static func read(_ folder: Folder, _ path: String) -> String {
        do throws(UVError) {
            switch try folder.open(self.elements(path)) {
            case .file(_, let status): return "file \(status.size)"
            case .folder: return "folder"
            }
        } catch {
            return "\(error)".split(separator: ":").last.map { String($0.dropFirst()) } ?? ""
        }
    }

    private static func readWaiting(_ folder: Folder, _ path: String) -> String {
        guard case .file(_, let status)? = try? folder.openWaiting(self.elements(path)) else { return "nothing" }
        return "file \(status.size)"
    }

    private static func index(_ root: Folder, _ path: [[UInt8]] = []) throws(UVError) -> FolderIndex {
        try root.folder(path).index(path, beneath: root) { _ in true }
    }

    private static func makeTree() throws -> TemporaryFolder {
        let outer = try TemporaryFolder()
        try outer.makeFolder("drop")
        try outer.makeFolder("drop-secret")
        try outer.write("drop-secret/x", "secret")
        try outer.write("drop/a.txt", "abc")
        try outer.makeFolder("drop/sub")
        try outer.write("drop/sub/b.txt", "abcde")
        try outer.makeFolder("drop/sub/state")
        try outer.write("drop/sub/state/key", "k")
        try outer.makePipe("drop/pipe")
        try outer.makeLink("drop/in", to: "sub/b.txt")
        try outer.makeLink("drop/sub/up", to: "../a.txt")
        try outer.makeLink("drop/sub/chain", to: "./../sub//up")
        try outer.makeLink("drop/dir", to: "sub/")
        try outer.makeLink("drop/slashed", to: "a.txt/")
        try outer.makeLink("drop/out", to: "../drop-secret/x")
        try outer.makeLink("drop/sub/out", to: "../../drop-secret/x")
        try outer.makeLink("drop/absolute", to: "/etc/hostname")
        try outer.makeLink("drop/back", to: "\(outer.path)/drop/a.txt")
        try outer.makeLink("drop/loop", to: "loop")
        try outer.makeLink("drop/dangling", to: "nothing")
        try outer.makeLink("drop/tostate", to: "sub/state")
        try outer.makeLink("drop/parent", to: "..")
        return outer
    }

    @Test("reaches what is beneath and nothing else, by either resolver", arguments: [true, false])
    func table(usesOpenat2: Bool) throws {
        let outer = try Self.makeTree()
        let state = try Folder(path: outer.path(of: "drop/sub/state"))
        let folder = try Folder(path: outer.path(of: "drop"), excluded: [state.identity], usesOpenat2: usesOpenat2)
        let missing = "no such file or directory"
        let outside = "cross-device link not permitted"
        let rows: [(String, String)] = [
            ("", "folder"), ("a.txt", "file 3"), ("sub", "folder"), ("sub/b.txt", "file 5"), ("nothing", missing),
            ("in", "file 5"), ("sub/up", "file 3"), ("sub/chain", "file 3"), ("dir", "folder"), ("dir/b.txt", "file 5"),
            ("dir/up", "file 3"), ("dangling", missing), ("out", outside), ("sub/out", outside), ("dir/out", outside),
            ("absolute", outside), ("back", outside), ("parent", outside), ("parent/drop-secret/x", outside),
            ("loop", "too many symbolic links encountered"), ("pipe", missing), ("a.txt/x", "not a directory"),
            ("slashed", "not a directory"),
            ("sub/state", missing), ("sub/state/key", missing), ("tostate", missing), ("tostate/key", missing),
            ("..", missing), (".", missing), ("sub/../a.txt", missing),
        ]
        for (path, expected) in rows {
            #expect(Self.read(folder, path) == expected, "\(path)")
        }
    }

    @Test("opens at once what the kernel knows, as ever, and leaves all else to be decided in the pool")
    func atOnce() throws {
        let outer = try Self.makeTree()
        let state = try Folder(path: outer.path(of: "drop/sub/state"))
        let folder = try Folder(path: outer.path(of: "drop"), excluded: [state.identity])
        for (path, expected) in [("a.txt", "file 3"), ("sub/b.txt", "file 5"), ("sub", "folder")] {
            #expect(Self.read(folder, path) == expected)
            // What has just been opened is known, where the file system is one of those that are trusted.
            if folder.isLocal { #expect(Self.readAtOnce(folder, path) == expected, "\(path)") }
        }
        for path in [
            "none", "in", "out", "dir", "dir/b.txt", "pipe", "loop", "sub/state", "sub/state/key", "tostate/key", "..",
            "sub/../a.txt", "a.txt/x",
        ] {
            _ = Self.read(folder, path)
            #expect(Self.readAtOnce(folder, path) == "nothing", "\(path)")
        }
        #expect(!(try Folder(path: "/proc")).isLocal)
        #expect(outer.openDescriptors() == 2)
    }

    private static func readAtOnce(_ folder: Folder, _ path: String) -> String {
        switch folder.openAtOnce(self.elements(path)) {
        case .file(_, let status)?: return "file \(status.size)"
        case .folder?: return "folder"
        case nil: return "nothing"
        }
    }

    @Test("refuses elements that are no names", arguments: [[[]], [Array("a/b".utf8)], [[0x61, 0]], [[0x2E, 0x2E]]])
    func notNames(path: [[UInt8]]) throws {
        let outer = try TemporaryFolder()
        let folder = try Folder(path: outer.path)
        #expect(throws: UVError.self) { try folder.status(at: path) }
    }

    @Test("lists files, folders and links that stay inside", arguments: [true, false])
    func listing(usesOpenat2: Bool) throws {
        let outer = try Self.makeTree()
        let state = try Folder(path: outer.path(of: "drop/sub/state"))
        let folder = try Folder(path: outer.path(of: "drop"), excluded: [state.identity], usesOpenat2: usesOpenat2)
        func names(_ path: String) throws -> [String] {
            try Self.index(folder, Self.elements(path)).map { String(decoding: $0.name, as: UTF8.self) }.sorted()
        }
        #expect(try names("") == ["a.txt", "dir", "in", "sub"])
        #expect(try names("sub") == ["b.txt", "chain", "up"])
        #expect(try names("dir") == ["b.txt", "chain", "up"])
        #expect(try Self.index(folder).first { $0.name.elementsEqual("in".utf8) }?.size == 5)
    }

    @Test("lists twice at the same time from one descriptor") func listingAgain() throws {
        let outer = try Self.makeTree()
        let folder = try Folder(path: outer.path(of: "drop"))
        #expect(try Self.index(folder).count == Self.index(folder).count)
        #expect(try !Self.index(folder).isEmpty)
    }

    @Test("waits for a file whose lease another process has to give up first", arguments: [true, false])
    func leases(usesOpenat2: Bool) async throws {
        let outer = try Self.makeTree()
        let folder = try Folder(path: outer.path(of: "drop"), usesOpenat2: usesOpenat2)
        let holder = OwnedFile(owning: unsafe open(outer.path(of: "drop/a.txt"), O_RDWR))
        // The kernel asks for the lease by a signal, and this one is ignored unless handled.
        #expect(fcntl(holder.descriptor, 10, SIGURG) == 0, "F_SETSIG")
        #expect(fcntl(holder.descriptor, 1024, CInt(F_WRLCK)) == 0, "F_SETLEASE")
        #expect(throws: UVError(code: -EAGAIN, call: "openat")) { _ = try folder.open(Self.elements("a.txt")) }
        let found = Mutex("")
        let reading = EventLoop.spawn {
            let text = await BlockingWork.run(.lease) { Self.readWaiting(folder, "a.txt") }
            found.withLock { $0 = text }
        }
        #expect(eventually { fcntl(holder.descriptor, 1025) != CInt(F_WRLCK) }, "F_GETLEASE")
        #expect(fcntl(holder.descriptor, 1024, CInt(F_UNLCK)) == 0)
        await reading.value
        #expect(found.withLock { $0 } == "file 3")
    }

    @Test("leaves no descriptor behind", arguments: [true, false]) func descriptors(usesOpenat2: Bool) throws {
        let outer = try Self.makeTree()
        do {
            let folder = try Folder(path: outer.path(of: "drop"), usesOpenat2: usesOpenat2)
            for path in ["a.txt", "in", "out", "loop", "pipe", "sub/chain", "sub"] { _ = Self.read(folder, path) }
            _ = try Self.index(folder)
            #expect(outer.openDescriptors() == 1)
        }
        #expect(outer.openDescriptors() == 0)
    }
}
