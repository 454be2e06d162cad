import TestSupport
import Testing

/// A folder at which a file system is mounted that does not answer. Needs root; where it has not, it says so in a line that the test run
/// counts.
@Suite("a folder whose disk does not answer", .serialized)
struct HungFolderTests {
    @Test("is listed, and keeps nobody waiting who wants nothing of it")
    func others() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("net")
        try folder.makeFolder("other")
        try folder.write("a", "a")
        try folder.makeLink("link", to: "net")
        let server = try ServerProcess(folder.path)
        #expect(try server.listing().map(\.name) == ["link", "net", "other", "a"])
        guard let mount = HungMount(at: folder.path(of: "net"), "hung mount") else { return }
        for round in 0..<3 {
            // Anew, and from an index that is kept.
            #expect(try server.listing().map(\.name).filter { !$0.hasPrefix("new") } == ["link", "net", "other", "a"])
            #expect(try server.get("/", [("Accept", browserAccept)]).status == 200)
            #expect(try server.get("/other/?json").status == 200)
            #expect(try server.get("/a").text == "a")
            #expect(try server.get("/missing").status == 404)
            #expect(try server.put("/new\(round)", bytes("x")).status == 201)
            #expect(try server.post(.one("newer\(round)", "x")).status == 201)
            #expect(try server.ask("DELETE", "/new\(round)").status == 204)
        }
        let second = try ServerProcess(folder.path)
        #expect(try second.listing().map(\.name).contains("net"))
        #expect(try second.stop() == 0)
        #expect(try server.stop() == 0)
        withExtendedLifetime(mount) {}
    }
}
