import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("A path watcher", .timeLimit(.minutes(1))) struct PathWatcherTests {
    private let place: TemporaryFolder

    init() throws {
        self.place = try TemporaryFolder()
        try self.place.makeFolder("drop")
        try self.place.makeFolder("drop/sub")
        try self.place.write("drop/f", "abc")
        try self.place.write("drop/sub/g", "abcde")
        try self.place.makeLink("drop/link", to: "f")
    }

    @EventLoop private func watcher() throws -> PathWatcher {
        PathWatcher(try Folder(path: self.place.path(of: "drop")), try FolderWatcher())
    }

    private static func elements(_ path: String) -> [[UInt8]] { path.split(separator: "/").map { Array($0.utf8) } }

    @Test(
        "opens regular files, not through links, and nothing else",
        arguments: ["f", "sub/g", "link", "sub", "missing", "", "f/x"])
    @EventLoop func opens(_ path: String) throws {
        guard let opened = try self.watcher().openAtOnce(Self.elements(path)) else {
            return #expect(!["f", "sub/g"].contains(path))
        }
        #expect(["f": 3, "sub/g": 5][path] == opened.status.size)
        #expect(opened.freshness.confirm())
    }

    @Test("sees every change of the file and of each name on the way to it, and no other") @EventLoop
    func changes() throws {
        let place = self.place
        func rename(_ old: String, _ new: String) { _ = unsafe Glibc.rename(place.path(of: old), place.path(of: new)) }
        let table: [(name: String, ends: Bool, act: () throws -> Void)] = [
            ("another file beside it", false, { try place.write("drop/sub/other", "x") }),
            ("another folder beside its folder", false, { try place.makeFolder("drop/more") }),
            ("reading", false, { _ = place.read("drop/sub/g") }),
            ("writing", true, { try place.write("drop/sub/g", "other") }),
            ("cutting", true, { _ = unsafe truncate(place.path(of: "drop/sub/g"), 1) }),
            ("its mode", true, { _ = unsafe chmod(place.path(of: "drop/sub/g"), 0o600) }),
            ("another name", true, { _ = unsafe link(place.path(of: "drop/sub/g"), place.path(of: "elsewhere")) }),
            ("deletion", true, { place.remove("drop/sub/g") }),
            (
                "replacement", true,
                {
                    try place.write("new", "n")
                    rename("new", "drop/sub/g")
                }
            ),
            ("its own rename", true, { rename("drop/sub/g", "drop/sub/h") }),
            ("its folder's rename", true, { rename("drop/sub", "drop/away") }),
            ("its folder's mode", true, { _ = unsafe chmod(place.path(of: "drop/sub"), 0o700) }),
        ]
        for row in table {
            place.remove("drop/sub")
            place.remove("drop/away")
            try place.makeFolder("drop/sub")
            try place.write("drop/sub/g", "abcde")
            let folders = try FolderWatcher()
            let watcher = PathWatcher(try Folder(path: place.path(of: "drop")), folders)
            guard let opened = watcher.openAtOnce(Self.elements("sub/g")) else { throw TestFailure("not opened") }
            let freshness = opened.freshness
            #expect(freshness.isCurrent, "\(row.name)")
            try row.act()
            folders.deliverPending()
            #expect(freshness.isCurrent != row.ends, "\(row.name)")
        }
    }

    @Test("watches a file once for all who depend on it, and lets thousands of them go at once") @EventLoop
    func shared() throws {
        let folders = try FolderWatcher()
        let watcher = PathWatcher(try Folder(path: self.place.path(of: "drop")), folders)
        var all: [Freshness] = []
        for _ in 0..<5000 {
            guard let opened = watcher.openAtOnce(Self.elements("f")) else { throw TestFailure("not opened") }
            all.append(opened.freshness)
        }
        #expect(folders.count == 2)
        try self.place.write("drop/f", "other")
        folders.deliverPending()
        #expect(all.allSatisfy { !$0.isCurrent })
        all = []
        #expect(folders.count == 0)
    }

    @Test("holds no watch once nobody depends on it") @EventLoop
    func letsGo() throws {
        let folders = try FolderWatcher()
        let watcher = PathWatcher(try Folder(path: self.place.path(of: "drop")), folders)
        do {
            guard let first = watcher.openAtOnce(Self.elements("sub/g")) else { throw TestFailure("not opened") }
            do {
                guard let second = watcher.openAtOnce(Self.elements("f")) else { throw TestFailure("not opened") }
                #expect(folders.count == 4 && second.freshness.isCurrent)
            }
            #expect(folders.count == 3 && first.freshness.isCurrent)
        }
        #expect(folders.count == 0)
    }

    @Test("watches anew after what happened was lost") @EventLoop
    func lost() throws {
        let folders = try FolderWatcher()
        let watcher = PathWatcher(try Folder(path: self.place.path(of: "drop")), folders)
        guard let first = watcher.openAtOnce(Self.elements("sub/g")) else { throw TestFailure("not opened") }
        folders.handle([InotifyEvent(watch: -1, mask: UInt32(IN_Q_OVERFLOW), cookie: 0, name: [])])
        #expect(!first.freshness.isCurrent && folders.count == 0)
        guard let second = watcher.openAtOnce(Self.elements("sub/g")) else { throw TestFailure("not opened again") }
        #expect(second.freshness.isCurrent && folders.count == 3)
        _ = unsafe rename(self.place.path(of: "drop/sub"), self.place.path(of: "drop/away"))
        folders.deliverPending()
        #expect(!second.freshness.isCurrent)
        withExtendedLifetime(first.freshness) {}
    }
}
