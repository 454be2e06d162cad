import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("Indexes of watched folders", .serialized, .timeLimit(.minutes(1))) struct FolderIndexesTests {
    private let place: TemporaryFolder

    init() throws {
        self.place = try TemporaryFolder()
        try self.place.makeFolder("drop")
    }

    @EventLoop private func indexes(
        _ watcher: FolderWatcher?, _ limits: FolderIndexes.Limits = .init()
    ) throws -> FolderIndexes {
        FolderIndexes(root: try Folder(path: self.place.path), watcher: watcher, limits: limits) { (name, _) in name[0] != 0x2E }
    }

    /// `name size` of each entry.
    @EventLoop private func lines(_ indexes: FolderIndexes, _ path: String = "drop") async throws -> [String] {
        try await self.snapshot(indexes, path).index.map { "\(String(decoding: $0.name, as: UTF8.self)) \($0.size)" }
    }

    @EventLoop private func snapshot(_ indexes: FolderIndexes, _ path: String = "drop") async throws -> FolderSnapshot {
        let elements = path.split(separator: "/").map { Array($0.utf8) }
        let place = self.place.path
        return try await indexes.current { () throws(UVError) in
            .init(try Folder(path: place).folder(elements), elements: elements)
        }
    }

    @Test("are read once, and then know of every change before they are asked") @EventLoop
    func changes() async throws {
        let indexes = try self.indexes(try FolderWatcher())
        let place = self.place
        #expect(try await self.lines(indexes) == [])
        func expect(_ lines: [String], _ act: () throws -> Void) async throws {
            try act()
            #expect(try await self.lines(indexes) == lines)
        }
        try await expect(["a 3"]) { try place.write("drop/a", "abc") }
        try await expect(["a 5"]) { try place.write("drop/a", "abcde") }
        try await expect(["a 1"]) { _ = unsafe truncate(place.path(of: "drop/a"), 1) }
        try await expect(["b 1"]) { _ = unsafe rename(place.path(of: "drop/a"), place.path(of: "drop/b")) }
        try await expect(["b 1", "c 1"]) { _ = unsafe link(place.path(of: "drop/b"), place.path(of: "drop/c")) }
        try await expect(["b 4", "c 4"]) { try place.write("drop/c", "cccc") }
        try await expect(["d 0", "b 4", "c 4"]) { try place.makeFolder("drop/d") }
        try await expect(["d 0", "b 4", "c 4", "l 4"]) { try place.makeLink("drop/l", to: "b") }
        try await expect(["d 0", "b 2", "c 2", "l 2"]) { try place.write("drop/b", "bb") }
        try await expect(["d 0", "b 2", "c 2", "l 2"]) { try place.write("drop/.hidden", "") }
        try await expect(["d 0", "b 2", "c 2"]) { place.remove("drop/l") }
        try await expect(["b 2", "c 2"]) { place.remove("drop/d") }
        try await expect(["c 2", "e 9"]) {
            try place.write("e", "eeeeeeeee")
            _ = unsafe rename(place.path(of: "e"), place.path(of: "drop/e"))
            place.remove("drop/b")
        }
        #expect(indexes.reads == 1)
    }

    @Test("see times that change without the folder being told: of folders, and by a name elsewhere") @EventLoop
    func looseTimes() async throws {
        try self.place.makeFolder("drop/sub")
        try self.place.write("drop/a", "")
        _ = unsafe link(self.place.path(of: "drop/a"), self.place.path(of: "elsewhere"))
        let indexes = try self.indexes(try FolderWatcher())
        _ = try await self.lines(indexes)
        self.place.setModified("drop/sub", 1000)
        self.place.setModified("elsewhere", 2000)
        #expect(try await self.snapshot(indexes).index.map(\.modifiedSeconds) == [1000, 2000])
        try self.place.write("drop/sub/inner", "")
        #expect(try await self.snapshot(indexes).index.map(\.modifiedSeconds) != [1000, 2000])
        #expect(indexes.reads == 1)
    }

    @Test("are the same object as long as the folder is the same, and keep what was made of it") @EventLoop
    func sameness() async throws {
        try self.place.makeFolder("drop/sub")
        try self.place.write("drop/a", "a")
        let indexes = try self.indexes(try FolderWatcher())
        let first = try await self.snapshot(indexes)
        first.made["text"] = indexes
        let second = try await self.snapshot(indexes)
        #expect(second.made["text"] != nil)
        _ = unsafe chmod(self.place.path(of: "drop/a"), 0o600)
        #expect(try await self.snapshot(indexes).made["text"] != nil)
        try self.place.write("drop/a", "other")
        #expect(try await self.snapshot(indexes).made["text"] == nil)
    }

    @Test("are read anew when the folder is another, however it became one") @EventLoop
    func replaced() async throws {
        try self.place.write("drop/old", "")
        let watcher = try FolderWatcher()
        let indexes = try self.indexes(watcher)
        #expect(try await self.lines(indexes) == ["old 0"])
        _ = unsafe rename(self.place.path(of: "drop"), self.place.path(of: "moved"))
        await #expect(throws: UVError.self) { try await self.lines(indexes) }
        #expect(indexes.count == 0 && watcher.count == 0)
        try self.place.makeFolder("drop")
        #expect(try await self.lines(indexes) == [])
        try self.place.makeFolder("other")
        try self.place.write("other/new", "")
        _ = unsafe rename(self.place.path(of: "drop"), self.place.path(of: "aside"))
        _ = unsafe rename(self.place.path(of: "other"), self.place.path(of: "drop"))
        #expect(try await self.lines(indexes) == ["new 0"])
        self.place.remove("drop")
        await #expect(throws: UVError.self) { try await self.lines(indexes) }
        #expect(indexes.count == 0)
    }

    @Test("are one for a folder, by however many paths it is asked for at once, and by another name later") @EventLoop
    func manyPaths() async throws {
        try self.place.write("drop/a", "a")
        for number in 0..<20 { try self.place.makeLink("link \(number)", to: "drop") }
        let indexes = try self.indexes(try FolderWatcher())
        let asked = (0..<20).map { number in
            EventLoop.spawn { (try? await self.lines(indexes, "link \(number)")) ?? [] }
        }
        for lines in asked { #expect(await lines.value == ["a 1"]) }
        #expect(indexes.reads == 1 && indexes.count == 1)
        _ = unsafe rename(self.place.path(of: "drop"), self.place.path(of: "moved"))
        try self.place.write("moved/b", "bb")
        #expect(try await self.lines(indexes, "moved") == ["a 1", "b 2"])
        #expect(indexes.count == 1)
    }

    @Test("are read anew when the kernel could not tell all that happened") @EventLoop
    func lost() async throws {
        try self.place.write("drop/a", "a")
        let watcher = try FolderWatcher()
        let indexes = try self.indexes(watcher)
        _ = try await self.lines(indexes)
        watcher.handle([InotifyEvent(watch: -1, mask: UInt32(IN_Q_OVERFLOW), cookie: 0, name: [])])
        #expect(indexes.count == 0 && watcher.count == 0)
        #expect(try await self.lines(indexes) == ["a 1"])
        #expect(indexes.reads == 2)
        try self.place.write("drop/a", "aa")
        #expect(try await self.lines(indexes) == ["a 2"])
        #expect(indexes.reads == 2)
    }

    @Test("are read anew when too much has changed to look at each") @EventLoop
    func many() async throws {
        var limits = FolderIndexes.Limits()
        limits.changes = 10
        let watcher = try FolderWatcher()
        let indexes = try self.indexes(watcher, limits)
        _ = try await self.lines(indexes)
        for number in 0..<12 { try self.place.write("drop/\(number)", "") }
        #expect(try await self.lines(indexes).count == 12)
        #expect(indexes.reads == 2)
        for number in 0..<9 { self.place.remove("drop/\(number)") }
        #expect(try await self.lines(indexes).count == 3)
        #expect(indexes.reads == 2)
    }

    @Test("are bounded in number, memory and age, the ones asked for last staying") @EventLoop
    func bounds() async throws {
        for name in ["drop/1", "drop/2", "drop/3"] { try self.place.makeFolder(name) }
        var limits = FolderIndexes.Limits()
        limits.folders = 2
        let watcher = try FolderWatcher()
        let indexes = try self.indexes(watcher, limits)
        for name in ["drop/1", "drop/2", "drop/1", "drop/3"] { _ = try await self.lines(indexes, name) }
        #expect(indexes.count == 2 && watcher.count == 2)
        limits.bytes = 0
        let small = try self.indexes(watcher, limits)
        try self.place.write("drop/1/a", "")
        for _ in 0..<2 { #expect(try await self.lines(small, "drop/1") == ["a 0"]) }
        #expect(small.count == 0 && small.reads == 2)
        limits = .init()
        limits.age = .zero
        let old = try self.indexes(watcher, limits)
        for _ in 0..<2 { #expect(try await self.lines(old, "drop/1") == ["a 0"]) }
        #expect(old.reads == 2)
    }

    @Test("are read each time where nothing can be watched") @EventLoop
    func unwatched() async throws {
        let indexes = try self.indexes(nil)
        for count in 0..<3 {
            #expect(try await self.lines(indexes).count == count)
            try self.place.write("drop/\(count)", "")
        }
        #expect(indexes.reads == 3 && indexes.count == 0)
    }

    @Test("lose nothing that happens while they are read and looked at") @EventLoop
    func racing() async throws {
        for number in 0..<500 { try self.place.write("drop/old \(number)", "") }
        let indexes = try self.indexes(try FolderWatcher())
        let place = self.place
        // Another thread makes and deletes files all the time; each list has to have what was there before it was asked for.
        let writer = Task.detached {
            for number in 0..<300 {
                try place.write("drop/new \(number)", "x")
                if number % 3 == 0 { place.remove("drop/new \(number)") }
            }
        }
        var count = 0
        while count < 100 {
            let there = Set(FileBytes.names(in: place.path(of: "drop")).filter { $0.starts(with: "new".utf8) })
            let listed = Set(try await self.snapshot(indexes).index.map { [UInt8]($0.name) })
            // What is missing has been deleted meanwhile.
            for name in there.subtracting(listed) { #expect(!place.exists("drop/" + String(decoding: name, as: UTF8.self))) }
            count += 1
        }
        try await writer.value
        let there = Set(FileBytes.names(in: place.path(of: "drop")))
        #expect(Set(try await self.snapshot(indexes).index.map { [UInt8]($0.name) }) == there)
    }
}
