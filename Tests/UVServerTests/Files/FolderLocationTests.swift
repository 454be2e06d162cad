import TestSupport
import Testing

@testable import UVServer

@Suite("Where a folder was opened") struct FolderLocationTests {
    @Test("a folder that was mounted is away when it is not, whoever tells what is mounted", .mounts, arguments: [true, false])
    func unmounted(usesStatx: Bool) throws {
        let outer = try TemporaryFolder()
        let mount = try SmallMount(outer, options: "size=1m")
        // As long as it is open, no other one has its identity.
        let folder = try Folder(path: mount.path)
        let location = FolderLocation(mount.path, of: folder, usesStatx: usesStatx)
        #expect(location.look() == .here)
        try mount.unmount()
        #expect(location.look() == .away)
        try mount.mount()
        #expect(location.look() == .replaced)
        withExtendedLifetime(folder) {}
    }

    @Test("one that was a plain folder is replaced by any other", arguments: [true, false]) func plain(usesStatx: Bool) throws {
        let outer = try TemporaryFolder()
        try outer.makeFolder("one")
        let path = outer.path(of: "one")
        let folder = try Folder(path: path)
        let location = FolderLocation(path, of: folder, usesStatx: usesStatx)
        #expect(location.look() == .here)
        outer.remove("one")
        #expect(location.look() == .away)
        try outer.write("one", "a file")
        #expect(location.look() == .away)
        outer.remove("one")
        try outer.makeFolder("one")
        #expect(location.look() == .replaced)
        withExtendedLifetime(folder) {}
    }
}
