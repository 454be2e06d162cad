import TestSupport
import Testing

/// Needs root and the right to mount; where it has not, it says so in a line that the test run counts.
@Suite("a full disk", .serialized)
struct DiskFullTests {
    @Test("A20 a full disk is told, the old file stays, nothing is left over", arguments: ["PUT", "chunked", "POST"])
    func a20(way: String) throws {
        let outer = try TemporaryFolder()
        try outer.makeFolder("drop")
        let mount = try Command.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", outer.path(of: "drop")])
        guard mount.status == 0 else {
            print(
                "SKIPPED: A20 by \(way): cannot mount a small file system (\(mount.errorText.split(separator: "\n").first ?? "no reason given"))"
            )
            return
        }
        // Lazy, so that it also goes when the server under test would not end.
        defer { _ = try? Command.run(["umount", "-l", outer.path(of: "drop")]) }
        let server = try ServerProcess(outer.path(of: "drop"), ["--on-duplicate-files", "overwrite"])
        let old = noise(100_000)
        let big = noise(3_000_000)
        #expect(try server.put("/a.bin", old).status == 201)
        let before = outer.allFiles
        let baseline = server.descriptors
        for _ in 0..<3 {
            let reply =
                switch way {
                case "PUT": try server.put("/a.bin", big)
                case "chunked":
                    try server.put("/a.bin", HTTPRequest.chunked(big, size: 50_000), [("Transfer-Encoding", "chunked")])
                default: try server.post(.one("a.bin", big))
                }
            #expect(reply.status == 507, "\(reply.status) \(reply.text)")
            #expect(!reply.body.isEmpty && !reply.text.contains("errno"))
            #expect(isSame(outer.read("drop/a.bin"), old))
        }
        #expect(eventually { outer.allFiles == before && server.descriptors <= baseline + 1 }, "\(outer.allFiles)")
        #expect(try server.put("/small.bin", noise(50_000)).status == 201)
        #expect(isSame(outer.read("drop/small.bin"), noise(50_000)))
        #expect(try isSame(server.get("/a.bin").body, old))
        #expect(try server.stop() == 0)
    }
}
