import TestSupport
import Testing

/// The server may make no file over 204,800 bytes (`ulimit -f` counts 512 of them).
@Suite("a file larger than files may be") struct FileSizeTests {
    @Test("is refused in words, the old file stays, and others are stored", arguments: ["PUT", "chunked", "POST"])
    func refused(way: String) throws {
        let (small, large) = (Self.bytes(204_800), Self.bytes(300_000))
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite"], after: "ulimit -f 400")
        let serving = server.serving
        #expect(try server.put("/f", small).status == 201)
        for _ in 0..<2 * ServerProcess.workers {
            let reply =
                switch way {
                case "PUT": try server.put("/f", large)
                case "chunked":
                    try server.put("/f", HTTPRequest.chunked(large, size: 50_000), [("Transfer-Encoding", "chunked")])
                default: try server.post(.one("f", large))
                }
            #expect(reply.status == 413 && reply.text.contains("larger than its disk"), "\(reply.status) \(reply.text)")
            #expect(folder.read("f") == small)
        }
        #expect(try server.put("/g", Array(small.prefix(100_000))).status == 201)
        #expect(server.isRunning && server.serving == serving && folder.visibleTexts == ["f", "g"])
        #expect(try server.stop() == 0)
    }

    private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 / 256 ^ $0) } }
}
