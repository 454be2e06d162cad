import TestSupport
import Testing
import UVServer

@testable import FileDrop

/// With a clock that is set by hand, and real folders.
@EventLoop @Suite("The place of the drop folder") final class FolderPlaceTests {
    private let folder: TemporaryFolder
    private var place: FolderPlace!
    private var now = Duration.zero
    private var tries = 0
    private var said: [String] = []

    init() async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        try folder.makeFolder("drop")
        let path = folder.path(of: "drop")
        self.place = FolderPlace(try await DropStore(folder: path)) { [unowned self] () async throws(StoreStartError) in
            self.tries += 1
            return try await DropStore(folder: path)
        } say: { [unowned self] in
            self.said.append($0)
        } now: { [unowned self] in
            self.now
        }
    }

    @Test("where another folder cannot be opened is tried once a second, says why once, and serves it when it can")
    func unusable() async throws {
        #expect(await !self.place.look() && !self.place.isAway)
        self.folder.remove("drop")
        try self.folder.makeFolder("drop")
        try self.folder.write("drop/.uvdrop", "no folder")
        for second in 1...3 {
            self.now = .seconds(second)
            for _ in 0..<10 { #expect(await !self.place.look() && self.place.isAway) }
            #expect(self.tries == second)
        }
        #expect(self.said.count == 1 && self.said[0].contains(".uvdrop cannot be used (open: not a directory)"), "\(self.said)")
        // Another cause is said as well.
        self.folder.remove("drop/.uvdrop")
        for name in ["drop/.uvdrop", "drop/.uvdrop/names.lock"] { try self.folder.makeFolder(name) }
        self.now = .seconds(4)
        #expect(await !self.place.look() && self.place.isAway)
        #expect(self.said.count == 2, "\(self.said)")
        self.folder.remove("drop/.uvdrop")
        #expect(await !self.place.look())
        self.now = .seconds(5)
        #expect(await self.place.look() && !self.place.isAway)
        #expect(self.said.count == 3 && self.said[2].contains("is served now"), "\(self.said)")
        self.now = .seconds(6)
        #expect(await !self.place.look() && !self.place.isAway && self.tries == 5)
    }

    @Test("is looked at once a second, and by each request while it is away") func pace() async throws {
        #expect(await !self.place.look())
        self.folder.remove("drop")
        #expect(await !self.place.look() && !self.place.isAway)
        self.now = .seconds(1)
        #expect(await !self.place.look() && self.place.isAway)
        #expect(self.said == ["the folder is not in its place; until it is, requests are answered with 503"])
        try self.folder.makeFolder("drop")
        #expect(await self.place.look() && !self.place.isAway && self.tries == 1)
    }
}
