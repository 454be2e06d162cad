import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("A folder watcher", .timeLimit(.minutes(1))) struct FolderWatcherTests {
    typealias Event = FolderEvent

    /// Takes down what a watch tells.
    @EventLoop private final class Record {
        var events: [Event] = []
        var watches: [FolderWatcher.Watch] = []
        let milestone = Milestone()

        func note(_ event: Event) {
            self.events.append(event)
            self.milestone.reach()
        }

        /// `kind name`, without what stands there twice in a row.
        var lines: [String] {
            self.events.map { "\($0.kind) \(String(decoding: $0.name, as: UTF8.self))" }
                .reduce(into: []) { lines, line in if lines.last != line { lines.append(line) } }
        }
    }

    private static func open(_ path: String) throws -> OwnedFile {
        OwnedFile(owning: try checkErrno(unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC), "open"))
    }

    @EventLoop private static func watch(
        _ watcher: FolderWatcher, _ path: String, _ record: Record = Record()
    ) throws -> (FolderWatcher.Watch, Record) {
        (try watcher.watch(try self.open(path)) { record.note($0) }, record)
    }

    @Test("tells at once what has been done in a folder") @EventLoop
    func table() throws {
        let place = try TemporaryFolder()
        let watcher = try FolderWatcher()
        let (watch, record) = try Self.watch(watcher, place.path)
        func expect(_ lines: [String], _ act: () throws -> Void) throws {
            try act()
            watcher.deliverPending()
            #expect(record.lines == lines)
            record.events = []
        }
        try expect([]) {}
        try expect(["nameAppeared a", "contentChanged a"]) { try place.write("a", "abc") }
        try expect(["contentChanged a"]) { _ = unsafe truncate(place.path(of: "a"), 1) }
        try expect(["attributesChanged a"]) { _ = unsafe chmod(place.path(of: "a"), 0o600) }
        try expect(["attributesChanged a"]) { place.setModified("a", 5) }
        try expect(["nameVanished a", "nameAppeared b"]) { _ = unsafe rename(place.path(of: "a"), place.path(of: "b")) }
        try expect(["nameAppeared c"]) { _ = unsafe link(place.path(of: "b"), place.path(of: "c")) }
        try expect(["nameAppeared l"]) { try place.makeLink("l", to: "b") }
        try expect(["nameVanished b"]) { place.remove("b") }
        try expect(["nameAppeared d"]) { try place.makeFolder("d") }
        try expect([]) { try place.write("d/inner", "") }
        try expect([]) { _ = place.read("c") }
        try expect(["attributesChanged "]) { _ = unsafe chmod(place.path, 0o700) }
        withExtendedLifetime(watch) {}
    }

    @Test("knows folders from files, and the two halves of a rename by their cookie") @EventLoop
    func facts() throws {
        let place = try TemporaryFolder()
        try place.write("a", "")
        let watcher = try FolderWatcher()
        let (watch, record) = try Self.watch(watcher, place.path)
        _ = unsafe rename(place.path(of: "a"), place.path(of: "b"))
        try place.makeFolder("d")
        watcher.deliverPending()
        let events = record.events
        #expect(events.count == 3)
        #expect(events[0].cookie != 0 && events[0].cookie == events[1].cookie && events[2].cookie == 0)
        #expect(events.map(\.isFolder) == [false, false, true])
        withExtendedLifetime(watch) {}
    }

    @Test("tells without being asked, and goes on after it has paused") @EventLoop
    func byItself() async throws {
        let place = try TemporaryFolder()
        let watcher = try FolderWatcher()
        let (watch, record) = try Self.watch(watcher, place.path)
        for round in 1...3 {
            try place.makeFolder("\(round)")
            await record.milestone.reached(round)
        }
        #expect(record.lines == ["nameAppeared 1", "nameAppeared 2", "nameAppeared 3"])
        withExtendedLifetime(watch) {}
    }

    @Test("tells nothing of a file that is being written without a name, but that it got one") @EventLoop
    func unnamed() throws {
        let place = try TemporaryFolder()
        let watcher = try FolderWatcher()
        let (watch, record) = try Self.watch(watcher, place.path)
        let folder = try Folder(path: place.path)
        let one = try TemporaryFile(in: folder, spare: nil)
        let other = try TemporaryFile(in: folder, spare: nil)
        for piece in 0..<100 as Range<Int64> {
            try one.file.write([1, 2, 3].span, at: piece * 3)
            try other.file.write([4, 5, 6].span, at: piece * 3)
        }
        try one.publish(as: Array("one".utf8), replacing: false)
        watcher.deliverPending()
        #expect(record.lines == ["nameAppeared one"])
        withExtendedLifetime(watch) {}
    }

    @Test("of a file hears of every writer, whichever name it goes by") @EventLoop
    func hardLinks() throws {
        let place = try TemporaryFolder()
        try place.makeFolder("here")
        try place.makeFolder("there")
        try place.write("here/a", "abc")
        _ = unsafe link(place.path(of: "here/a"), place.path(of: "there/b"))
        let watcher = try FolderWatcher()
        let (file, ofFile) = try Self.watch(watcher, place.path(of: "here/a"))
        let (folder, ofFolder) = try Self.watch(watcher, place.path(of: "here"))
        try place.write("there/b", "defg")
        watcher.deliverPending()
        #expect(ofFile.lines == ["contentChanged "])
        #expect(ofFolder.events.isEmpty)
        place.remove("there/b")
        watcher.deliverPending()
        #expect(ofFile.lines == ["contentChanged ", "attributesChanged "])
        withExtendedLifetime((file, folder)) {}
    }

    @Test("shares one watch of the kernel among all who watch the same, until the last has left") @EventLoop
    func sharing() throws {
        let place = try TemporaryFolder()
        let watcher = try FolderWatcher()
        let (one, first) = try Self.watch(watcher, place.path)
        var (other, second): (FolderWatcher.Watch?, Record) = try Self.watch(watcher, place.path + "/.")
        #expect(watcher.count == 1)
        try place.makeFolder("a")
        watcher.deliverPending()
        try place.makeFolder("b")
        one.cancel()
        one.cancel()
        watcher.deliverPending()
        #expect(first.lines == ["nameAppeared a"])
        #expect(second.lines == ["nameAppeared a", "nameAppeared b"])
        withExtendedLifetime(other) {}
        other = nil
        #expect(watcher.count == 0)
        // What the old watch has left in the queue is not taken for the new one's.
        try place.makeFolder("c")
        let (again, third) = try Self.watch(watcher, place.path)
        try place.makeFolder("d")
        watcher.deliverPending()
        #expect(third.lines == ["nameAppeared d"])
        withExtendedLifetime(again) {}
    }

    @Test("lets those who are told watch and cancel meanwhile") @EventLoop
    func reentry() throws {
        let place = try TemporaryFolder()
        try place.makeFolder("sub")
        let watcher = try FolderWatcher()
        let (late, told) = (Record(), Record())
        for _ in 0..<3 {
            told.watches.append(
                try watcher.watch(try Self.open(place.path)) { event in
                    told.note(event)
                    for watch in told.watches { watch.cancel() }
                    watcher.deliverPending()
                    if let (watch, _) = try? Self.watch(watcher, place.path(of: "sub"), late) { late.watches.append(watch) }
                })
        }
        try place.makeFolder("a")
        try place.makeFolder("b")
        watcher.deliverPending()
        #expect(told.events.count == 1)
        try place.makeFolder("sub/c")
        watcher.deliverPending()
        #expect(late.lines == ["nameAppeared c"])
        // They hold the record that holds them.
        late.watches = []
    }

    @Test("says when the watched thing is gone, once and last") @EventLoop
    func gone() throws {
        let place = try TemporaryFolder()
        for name in ["deleted", "moved"] { try place.makeFolder(name) }
        try place.write("file", "")
        let watcher = try FolderWatcher()
        let (first, deleted) = try Self.watch(watcher, place.path(of: "deleted"))
        let (second, moved) = try Self.watch(watcher, place.path(of: "moved"))
        let (third, file) = try Self.watch(watcher, place.path(of: "file"))
        do {
            let held = try Self.open(place.path(of: "file"))
            place.remove("deleted")
            _ = unsafe rename(place.path(of: "moved"), place.path(of: "elsewhere"))
            place.remove("file")
            watcher.deliverPending()
            // The kernel tells of a deleted folder when nothing holds it any more, which is now.
            #expect(deleted.lines == ["gone "])
            #expect(moved.lines == ["gone "])
            #expect(file.lines == ["attributesChanged "])
            withExtendedLifetime(held.descriptor) {}
        }
        watcher.deliverPending()
        #expect(file.lines == ["attributesChanged ", "gone "])
        #expect(watcher.count == 0)
        let (again, anew) = try Self.watch(watcher, place.path(of: "elsewhere"))
        try place.makeFolder("elsewhere/x")
        watcher.deliverPending()
        #expect(anew.lines == ["nameAppeared x"])
        #expect(moved.lines == ["gone "])
        withExtendedLifetime((first, second, third, again)) {}
    }

    @Test("tells everyone when the kernel could not keep all that happened, last of all") @EventLoop
    func overflow() throws {
        let place = try TemporaryFolder()
        for name in ["a", "b", "other"] { try place.makeFolder(name) }
        let watcher = try FolderWatcher()
        let (watch, record) = try Self.watch(watcher, place.path)
        let (other, beside) = try Self.watch(watcher, place.path(of: "other"))
        let kept = String(decoding: FileBytes.read("/proc/sys/fs/inotify/max_queued_events") ?? [], as: UTF8.self)
        let count = try #require(Int(kept.prefix { $0.isNumber }))
        // Changed in turn, because the kernel keeps only one of two events that are the same.
        for round in 0...count { _ = unsafe chmod(place.path(of: round % 2 == 0 ? "a" : "b"), 0o700) }
        watcher.deliverPending()
        #expect(record.events.count == count + 1)
        #expect(record.lines.last == "lost ")
        #expect(beside.lines == ["lost "])
        #expect(watcher.count == 0)
        // Watched again, as it has to be, it is told of.
        let (again, anew) = try Self.watch(watcher, place.path)
        try place.makeFolder("c")
        watcher.deliverPending()
        #expect(anew.lines == ["nameAppeared c"])
        #expect(record.lines.last == "lost ")
        withExtendedLifetime((watch, other, again)) {}
    }

    @Test("gives up a flood instead of telling it to its end, and tells what comes after it") @EventLoop
    func flood() throws {
        let place = try TemporaryFolder()
        let names = ["a", "b"].map { String(repeating: $0, count: 250) }
        for name in names { try place.makeFolder(name) }
        let watcher = try FolderWatcher()
        let (watch, record) = try Self.watch(watcher, place.path)
        // 1.4 MB of records.
        for round in 0..<5000 { _ = unsafe chmod(place.path(of: names[round % 2]), 0o700) }
        watcher.deliverPending()
        #expect((2000..<5000).contains(record.events.count))
        #expect(record.lines.last == "lost ")
        #expect(watcher.count == 0)
        let (again, anew) = try Self.watch(watcher, place.path)
        try place.makeFolder("c")
        watcher.deliverPending()
        #expect(anew.lines == ["nameAppeared c"])
        withExtendedLifetime((watch, again)) {}
    }

    @Test("lets those who are told of a loss watch anew at once") @EventLoop
    func lossAndAnew() throws {
        let place = try TemporaryFolder()
        let watcher = try FolderWatcher()
        let record = Record()
        let watch = try watcher.watch(try Self.open(place.path)) { event in
            #expect(event.kind == .lost)
            if let (watch, _) = try? Self.watch(watcher, place.path, record) { record.watches.append(watch) }
        }
        watcher.handle([InotifyEvent(watch: -1, mask: UInt32(IN_Q_OVERFLOW), cookie: 0, name: [])])
        #expect(watcher.count == 1)
        try place.makeFolder("a")
        watcher.deliverPending()
        #expect(record.lines == ["nameAppeared a"])
        watch.cancel()
        #expect(watcher.count == 1)
        // It holds the record that holds it.
        record.watches = []
    }

    @Test("refuses what is neither folder nor file") @EventLoop
    func refusal() throws {
        let watcher = try FolderWatcher()
        #expect(throws: UVError(code: -EINVAL, call: "inotify_add_watch")) {
            _ = try watcher.watch(try Self.open("/dev/null")) { _ in }
        }
    }

    @Test("goes with all it holds when nobody needs it, and leaves its watches as they are: silent") @EventLoop
    func releases() async throws {
        let place = try TemporaryFolder()
        weak var released: FolderWatcher?
        let kept: FolderWatcher.Watch
        do {
            let watcher = try FolderWatcher()
            released = watcher
            let (watch, record) = try Self.watch(watcher, place.path)
            kept = watch
            try place.makeFolder("a")
            await record.milestone.reached()
        }
        await turns(2)
        #expect(released == nil)
        kept.cancel()
    }
}
