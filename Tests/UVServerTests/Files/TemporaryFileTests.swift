import TestSupport
import Testing

@testable import UVServer

@Suite("TemporaryFile", .serialized) struct TemporaryFileTests {
    private static func make(_ folder: Folder, _ content: String, unnamed: Bool) throws(UVError) -> TemporaryFile {
        let file = try TemporaryFile(in: folder, spare: nil, allowsUnnamed: unnamed)
        try file.file.write(Array(content.utf8).span, at: 0)
        return file
    }

    @Test("has no visible name until it is published, and then the mode of a new file", arguments: [true, false])
    func publishing(unnamed: Bool) throws {
        let place = try TemporaryFolder()
        let folder = try Folder(path: place.path)
        do {
            let file = try Self.make(folder, "hello", unnamed: unnamed)
            #expect(try Folder.names(in: folder.file).allSatisfy { HiddenName.matches($0) })
            try file.sync(.full)
            try file.publish(as: Array("new".utf8), replacing: false)
        }
        #expect(place.names() == ["new"])
        #expect(place.text("new") == "hello")
        try place.write("plain", "")
        #expect(place.mode("new").map { $0 & 0o111 } == 0)
        #expect(place.mode("new") == 0o644)
    }

    @Test("never replaces unless asked", arguments: [true, false]) func noReplacing(unnamed: Bool) throws {
        let place = try TemporaryFolder()
        let folder = try Folder(path: place.path)
        try place.write("taken", "old")
        try place.makeLink("link", to: "taken")
        try place.makeLink("dangling", to: "made")
        try place.makeFolder("folder")
        do {
            let file = try Self.make(folder, "new", unnamed: unnamed)
            for name in ["taken", "link", "dangling", "folder"] {
                #expect(throws: UVError(code: -17, call: "linkat")) {
                    try file.publish(as: Array(name.utf8), replacing: false)
                }
            }
        }
        #expect(place.text("taken") == "old")
        #expect(place.names() == ["dangling", "folder", "link", "taken"])
    }

    @Test("replaces a file or a link in one step, never a folder", arguments: [true, false])
    func replacing(unnamed: Bool) throws {
        let place = try TemporaryFolder()
        let folder = try Folder(path: place.path)
        try place.write("taken", "old")
        try place.write("target", "kept")
        try place.makeLink("link", to: "target")
        try place.makeFolder("folder")
        try Self.make(folder, "1", unnamed: unnamed).publish(as: Array("taken".utf8), replacing: true)
        try Self.make(folder, "2", unnamed: unnamed).publish(as: Array("link".utf8), replacing: true)
        do {
            let file = try Self.make(folder, "3", unnamed: unnamed)
            #expect(throws: UVError(code: -21, call: "renameat")) {
                try file.publish(as: Array("folder".utf8), replacing: true)
            }
        }
        #expect(place.text("taken") == "1")
        #expect(place.text("link") == "2")
        #expect(!place.isLink("link"))
        #expect(place.text("target") == "kept")
        #expect(place.names() == ["folder", "link", "taken", "target"])
    }

    @Test("leaves nothing when it is dropped", arguments: [true, false]) func dropped(unnamed: Bool) throws {
        let place = try TemporaryFolder()
        let folder = try Folder(path: place.path)
        do {
            let file = try Self.make(folder, "gone", unnamed: unnamed)
            try file.reserve(1 << 20)
            #expect(try file.file.status().size == 4)
            #expect(place.openDescriptors() == 2)
        }
        #expect(place.names() == [])
        #expect(place.openDescriptors() == 1)
    }

    @Test("puts its hidden name into the spare folder") func spare() throws {
        let place = try TemporaryFolder()
        try place.makeFolder("drop")
        try place.makeFolder("state")
        let folder = try Folder(path: place.path(of: "drop"))
        let spare = try Folder(path: place.path(of: "state"))
        do {
            let file = try TemporaryFile(in: folder, spare: spare, allowsUnnamed: false)
            #expect(place.names("drop") == [])
            #expect(place.names("state").count == 1)
            try file.publish(as: Array("x".utf8), replacing: false)
        }
        #expect(place.names("drop") == ["x"])
        #expect(place.names("state") == [])
    }

    @Test("a sweep takes what a dead writer left and spares a live one") func sweeping() throws {
        let place = try TemporaryFolder()
        let folder = try Folder(path: place.path)
        try place.write(".uvdrop-dead.part", "x")
        try place.write("other.part", "x")
        do {
            let file = try Self.make(folder, "live", unnamed: false)
            #expect(try HiddenName.sweep(folder) == 1)
            try file.publish(as: Array("kept".utf8), replacing: false)
        }
        #expect(place.names() == ["kept", "other.part"])
    }

    @Test("writes at offsets") func offsets() throws {
        let place = try TemporaryFolder()
        let folder = try Folder(path: place.path)
        let file = try Self.make(folder, "hello", unnamed: true)
        try file.file.write(Array(" world".utf8).span, at: 5)
        try file.publish(as: Array("x".utf8), replacing: false)
        #expect(place.text("x") == "hello world")
        #expect(throws: UVError.self) { try file.file.write([1].span, at: -1) }
        #expect(throws: UVError.self) { try file.file.write([1].span, at: .max) }
    }

    @Test("says at once when there is not enough space") func noSpace() throws {
        let place = try TemporaryFolder()
        let file = try TemporaryFile(in: try Folder(path: place.path), spare: nil)
        #expect(throws: UVError.self) { try file.reserve(1 << 43) }
    }
}
