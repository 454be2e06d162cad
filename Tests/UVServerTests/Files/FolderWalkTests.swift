import Glibc
import Synchronization
import TestSupport
import Testing

@testable import UVServer

@Suite("A walk through a folder") struct FolderWalkTests {
    private static func tree() throws -> TemporaryFolder {
        let place = try TemporaryFolder()
        for name in ["b", "b/inner", "a", "state"] { try place.makeFolder(name) }
        for name in ["b/inner/deep", "b/z", "b/.hidden", "a/one", "top", "state/key"] { try place.write(name, "12") }
        try place.makeLink("a/up", to: "..")
        try place.makeLink("a/file", to: "../top")
        try place.makeLink("a/out", to: "/etc/passwd")
        return place
    }

    private static func walk(
        _ place: TemporaryFolder, from start: [String] = [], _ names: [String]? = nil,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws -> [String] {
        let plain = try Folder(path: place.path)
        let state = try #require(try plain.status(of: Array("state".utf8)))
        let root = try plain.excluding([state.identity])
        let walk = FolderWalk(
            root, from: start.map { Array($0.utf8) }, shows: { name, _ in name[0] != UInt8(ascii: ".") }, isStopped: isStopped)
        var seen: [String] = []
        try walk.run(names.map { $0.map { Array($0.utf8) } }) { (item) throws(UVError) in
            seen.append(String(decoding: item.path, as: UTF8.self) + (item.isFolder ? "/" : " \(item.size)"))
        }
        return seen
    }

    @Test("comes to every folder before what is in it, goes through no link to a folder, and leaves out what lists do")
    func whole() throws {
        #expect(
            try Self.walk(Self.tree()) == [
                "a/", "b/", "top 2", "a/file 2", "a/one 2", "b/inner/", "b/z 2", "b/inner/deep 2",
            ])
        #expect(try Self.walk(Self.tree(), from: ["b"]) == ["inner/", "z 2", "inner/deep 2"])
    }

    @Test("of some names comes to these and what is in them, and no further") func names() throws {
        #expect(try Self.walk(Self.tree(), ["top", "b"]) == ["top 2", "b/", "b/inner/", "b/z 2", "b/inner/deep 2"])
        #expect(
            try Self.walk(Self.tree(), from: ["a"], ["up"])
                == [
                    "up/", "up/a/", "up/b/", "up/top 2", "up/a/file 2", "up/a/one 2", "up/b/inner/", "up/b/z 2",
                    "up/b/inner/deep 2",
                ])
        for name in ["none", "state"] { #expect(throws: UVError(code: -ENOENT, call: "")) { try Self.walk(Self.tree(), [name]) } }
    }

    @Test("does not pass over what lies too deep for any path") func deep() throws {
        let place = try Self.tree()
        let name = String(repeating: "d", count: 250)
        let script = "import os\nfor _ in range(20): os.mkdir('\(name)'); os.chdir('\(name)')"
        let made = try Command.run(["python3", "-c", script], in: place.path)
        defer { _ = try? Command.run(["rm", "-r", place.path(of: name)]) }
        #expect(made.status == 0, "\(made.errorText)")
        #expect(throws: UVError(code: -ENAMETOOLONG, call: "")) { try Self.walk(place) }
        #expect(try Self.walk(place, ["top"]) == ["top 2"])
    }

    @Test("ends when it is told to") func stop() throws {
        let seen = Atomic<Int>(0)
        #expect(throws: UVError(code: -ECANCELED, call: "")) {
            try Self.walk(Self.tree(), isStopped: { seen.add(1, ordering: .relaxed).newValue > 3 })
        }
        #expect(seen.load(ordering: .relaxed) == 4)
    }
}
