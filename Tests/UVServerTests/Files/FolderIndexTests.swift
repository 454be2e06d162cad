import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("A folder's index") struct FolderIndexTests {
    private static func facts(
        _ size: Int64, isFolder: Bool = false, isLoose: Bool = false, inode: UInt64 = 1, seconds: Int = 0
    ) -> FolderIndex.Facts {
        var raw = stat()
        raw.st_mode = isFolder ? S_IFDIR : S_IFREG
        raw.st_size = off_t(size)
        raw.st_ino = ino_t(inode)
        raw.st_mtim.tv_sec = seconds
        raw.st_nlink = 1
        return FolderIndex.Facts(FileStatus(raw), isLink: isLoose)
    }

    /// An index of these names, of which those with a slash at their end are folders.
    private static func index(_ names: [String]) throws -> FolderIndex {
        var index = FolderIndex()
        for name in names {
            let isFolder = name.hasSuffix("/")
            let bytes = Array((isFolder ? String(name.dropLast()) : name).utf8)
            unsafe try bytes.withUnsafeBufferPointer { unsafe try index.append($0, Self.facts(1, isFolder: isFolder)) }
        }
        index.sort()
        return index
    }

    private static func names(_ index: FolderIndex) -> [String] {
        index.map { String(decoding: $0.name, as: UTF8.self) + ($0.isFolder ? "/" : "") }
    }

    private static func change(_ name: String, _ facts: FolderIndex.Facts?) -> FolderIndex.Change {
        FolderIndex.Change(name: Array(name.utf8), facts: facts)
    }

    @Test("has folders first, then files, by the bytes of their names, each once")
    func order() throws {
        let index = try Self.index([
            "file-10", "b", "file-1", "z/", "file-1", "é", "file-100000000", "B", "file-10000000", "a/", "aa", "a",
            "file-100000001",
        ])
        #expect(
            Self.names(index) == [
                "a/", "z/", "B", "a", "aa", "b", "file-1", "file-10", "file-10000000", "file-100000000", "file-100000001", "é",
            ])
        #expect(Self.names(try Self.index([])) == [])
        #expect(Self.names(try Self.index(["same-1", "same-"])) == ["same-", "same-1"])
    }

    @Test("takes over what has changed, and nothing else")
    func changes() throws {
        var index = try Self.index(["d/", "a", "c", "e"])
        #expect(try !index.apply([]))
        #expect(try !index.apply([Self.change("a", Self.facts(1)), Self.change("none", nil)]))
        #expect(try index.apply([Self.change("a", Self.facts(2))]))
        #expect(try index.apply([Self.change("a", Self.facts(2, seconds: 5))]))
        #expect(index.first { $0.name.elementsEqual("a".utf8) }?.size == 2)
        #expect(
            try index.apply([
                Self.change("b", Self.facts(1)), Self.change("c", nil), Self.change("zz", Self.facts(1)),
                Self.change("0", Self.facts(1)),
                Self.change("z", Self.facts(0, isFolder: true)), Self.change("c2", Self.facts(1)), Self.change("e", nil),
            ]))
        #expect(Self.names(index) == ["d/", "z/", "0", "a", "b", "c2", "zz"])
        #expect(try index.apply([Self.change("d", Self.facts(7)), Self.change("a", Self.facts(0, isFolder: true))]))
        #expect(Self.names(index) == ["a/", "z/", "0", "b", "c2", "d", "zz"])
        #expect(index.first { $0.name.elementsEqual("d".utf8) }?.size == 7)
        #expect(try index.apply(Self.names(index).map { Self.change($0.replacing("/", with: ""), nil) }))
        #expect(index.isEmpty)
    }

    @Test("is after any changes what it would be if it were made anew")
    func manyChanges() throws {
        var random = SystemRandomNumberGenerator()
        var model: [String: Bool] = [:]
        var index = try Self.index([])
        for _ in 0..<300 {
            var changes: [String: Bool?] = [:]
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let name = "n\(Int.random(in: 0..<200, using: &random))"
                changes[name] = [nil, false, true].randomElement(using: &random) ?? nil
            }
            let before = model
            for (name, isFolder) in changes { model[name] = isFolder }
            let isOther = try index.apply(
                changes.map { name, isFolder in Self.change(name, isFolder.map { Self.facts(1, isFolder: $0) }) })
            #expect(isOther == (model != before))
            let expected = try Self.index(model.map { $0.key + ($0.value ? "/" : "") })
            #expect(Self.names(index) == Self.names(expected))
        }
        // Names that are gone do not pile up.
        #expect(index.names.count <= 2 * index.reduce(0) { $0 + $1.name.count } + 64)
    }

    @Test("finds where the list goes on after a name, also one that is gone")
    func places() throws {
        let index = try Self.index(["b/", "d/", "a", "c", "d2"])
        for (name, isFolder, expected) in [
            ("b", true, 1), ("a", true, 0), ("c", true, 1), ("z", true, 2), ("a", false, 3), ("0", false, 2), ("b2", false, 3),
            ("z", false, 5),
            ("d2", false, 5), ("b", false, 1), ("d", false, 2),
        ] as [(String, Bool, Int)] {
            #expect(index.position(after: Array(name.utf8), isFolder: isFolder) == expected, "\(name)")
        }
    }

    @Test("knows which entries change without the folder being told, and that a second name makes the first one such")
    func loose() throws {
        let place = try TemporaryFolder()
        try place.write("a", "x")
        try place.write("b", "x")
        try place.makeFolder("sub")
        try place.makeLink("link", to: "a")
        let folder = try Folder(path: place.path)
        func looseNames(_ index: FolderIndex) -> [String] { index.looseNames.map { String(decoding: $0, as: UTF8.self) } }
        var index = try folder.index([], beneath: folder) { _ in true }
        #expect(looseNames(index) == ["sub", "link"] && index.looseCount == 2)
        _ = unsafe Glibc.link(place.path(of: "b"), place.path(of: "c"))
        #expect(try index.apply(folder.look(at: [Array("c".utf8)], [], beneath: folder)))
        #expect(looseNames(index) == ["sub", "b", "c", "link"] && index.looseCount == 4)
    }

    @Test("leaves out names that are longer than any path may hold, and shows the others")
    func longNames() throws {
        let longest = String(repeating: "x", count: 255)
        let tooLong = String(repeating: "\u{20AC}", count: 255)
        var index = try Self.index(["a", tooLong, longest, "b"])
        #expect(Self.names(index) == ["a", "b", longest])
        #expect(try !index.apply([Self.change(tooLong, Self.facts(1))]))
        #expect(try index.apply([Self.change(tooLong, Self.facts(1)), Self.change("c", Self.facts(1))]))
        #expect(Self.names(index) == ["a", "b", "c", longest])
    }
}
