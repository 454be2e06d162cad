import TestSupport
import Testing

/// Each measures a server of its own, by the peak of its resident memory.
@Suite("memory")
struct MemoryTests {
    /// The most by which the server may grow, in bytes.
    private static let growth = 8 << 20

    /// A server that has taken and given a megabyte each way, and its memory then.
    private func warmServer(_ folder: TemporaryFolder) throws -> (ServerProcess, Int) {
        let server = try ServerProcess(folder.path, ["--max-size", "0", "--durability", "none"])
        let block = noise(1 << 20)
        #expect(try server.put("/warm", block).status == 201)
        #expect(try server.post(.one("warm2", block)).status == 201)
        #expect(try isSame(server.get("/warm").body, block))
        return (server, server.residentBytes)
    }

    @Test("a gigabyte comes in by PUT in constant memory")
    func putMemory() throws {
        let folder = try TemporaryFolder()
        let (server, before) = try self.warmServer(folder)
        let block = noise(1 << 20)
        let client = try server.connect()
        try client.send(HTTPRequest.bytes("PUT", "/giga.bin", [("Content-Length", String(1 << 30))]))
        for _ in 0..<1024 { try client.send(block) }
        #expect(try client.readReply().status == 201)
        #expect(folder.allFiles["giga.bin"] == 1 << 30)
        let grown = server.peakResidentBytes - before
        #expect(grown < Self.growth, "\(grown) bytes")
    }

    /// Bytes of a chunk, and how many in all.
    @Test(
        "a body comes in in constant memory whatever the number of its chunks",
        arguments: [(1, 1 << 20), (100, 16 << 20), (5000, 128 << 20), (65_536, 256 << 20), (1 << 20, 256 << 20)])
    func chunksMemory(size: Int, total: Int) throws {
        let folder = try TemporaryFolder()
        let (server, before) = try self.warmServer(folder)
        let block = noise(max(size, 1 << 16))
        let chunks = HTTPRequest.chunked(block, size: size).dropLast(5)
        let client = try server.connect()
        try client.send(HTTPRequest.bytes("PUT", "/chunks.bin", [("Transfer-Encoding", "chunked")]))
        for _ in 0..<(total / block.count) { try client.send(chunks) }
        try client.send("0\r\n\r\n")
        #expect(try client.readReply().status == 201)
        #expect(folder.allFiles["chunks.bin"] == total)
        let grown = server.peakResidentBytes - before
        #expect(grown < Self.growth, "\(grown) bytes")
    }

    @Test("a gigabyte comes in by form in constant memory")
    func formMemory() throws {
        let folder = try TemporaryFolder()
        let (server, before) = try self.warmServer(folder)
        let block = noise(1 << 20)
        let form = Form.one("giga.bin", [])
        // The empty content, its line end and the closing delimiter.
        let tail = bytes("\r\n--\(form.boundary)--\r\n")
        let fields = [
            ("Content-Type", form.contentType), ("Accept", "application/json"),
            ("Content-Length", String(form.body.count + (1 << 30))),
        ]
        let client = try server.connect()
        try client.send(HTTPRequest.bytes("POST", "/", fields) + form.body.dropLast(tail.count))
        // Bytes that begin delimiters take the scanner's time, so they are only some of it.
        let plain = [UInt8](repeating: 0, count: block.count)
        for number in 0..<1024 { try client.send(number % 16 == 0 ? block : plain) }
        try client.send(tail)
        #expect(try client.readReply().stored.map(\.size) == [1 << 30])
        #expect(folder.allFiles["giga.bin"] == 1 << 30)
        let grown = server.peakResidentBytes - before
        #expect(grown < Self.growth, "\(grown) bytes")
    }

    @Test("a gigabyte goes out in constant memory")
    func downloadMemory() throws {
        let folder = try TemporaryFolder()
        #expect(try Command.run(["truncate", "-s", "1G", folder.path(of: "giga.bin")]).status == 0)
        let (server, before) = try self.warmServer(folder)
        let client = try server.connect()
        try client.send(HTTPRequest.bytes("GET", "/giga.bin", [("Connection", "close")]))
        #expect(try client.readReplyHead()["content-length"] == "1073741824")
        try client.skip(1 << 30)
        #expect(try client.endsCleanly())
        let grown = server.peakResidentBytes - before
        #expect(grown < Self.growth, "\(grown) bytes")
    }

    @Test("A30 thousands of overlapping ranges cost no memory")
    func rangesMemory() throws {
        let folder = try TemporaryFolder()
        try folder.write("five.bin", noise(5_000_000))
        let (server, before) = try self.warmServer(folder)
        for range in manyRanges {
            for _ in 0..<3 { #expect(try server.get("/five.bin", [("Range", range)]).body.count >= 700) }
        }
        let grown = server.peakResidentBytes - before
        #expect(grown < Self.growth, "\(grown) bytes")
    }
}
