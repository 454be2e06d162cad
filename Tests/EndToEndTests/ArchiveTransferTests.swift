import TestSupport
import Testing

/// Archives on their way: what happens to files, clients and memory meanwhile.
@Suite("archives on their way", .timeLimit(.minutes(3)))
struct ArchiveTransferTests {
    private static let largeBytes = 64 << 20

    /// A large file, and a small one behind it, and a client that has taken the head of an archive of both.
    private final class Transfer {
        let folder: TemporaryFolder
        let server: ServerProcess
        let client: RawClient
        let length: Int

        init(_ format: String) throws {
            self.folder = try TemporaryFolder()
            let large = ["truncate", "-s", String(ArchiveTransferTests.largeBytes), self.folder.path(of: "a")]
            #expect(try Command.run(large).status == 0)
            try self.folder.write("b", "small")
            self.server = try ServerProcess(self.folder.path)
            self.client = try self.server.connect(receiveBuffer: 4096)
            try self.client.send(HTTPRequest.bytes("GET", "/?\(format)", [("Connection", "close")]))
            self.length = try #require(try self.client.readReplyHead()["content-length"].flatMap { Int($0) })
            #expect(self.length > ArchiveTransferTests.largeBytes)
        }

        func change(_ command: String) throws {
            #expect(try Command.run(["sh", "-c", command], in: self.folder.path).status == 0)
        }

        /// Another client that has taken the head.
        func join(_ format: String) throws -> RawClient {
            let client = try self.server.connect(receiveBuffer: 4096)
            try client.send(HTTPRequest.bytes("GET", "/?\(format)"))
            #expect(try client.readReplyHead().status == 200)
            return client
        }

        /// The archive has ended before its end, and the log says so.
        func isCut() -> Bool {
            let came = (try? self.client.readToEnd().count) ?? 0
            self.client.close()
            return came < self.length && eventually { self.server.child.errorText.contains("aborted") }
        }
    }

    @Test(
        "a file that is changed or removed before its turn ends the archive, and the client sees that something is missing",
        arguments: ArchiveTests.formats, ["echo more >>b", "rm b", "rm b; mkdir b", "echo other >c; mv c b", "touch -d @5 b"])
    func changed(format: String, command: String) throws {
        let transfer = try Transfer(format)
        try transfer.change(command)
        #expect(transfer.isCut())
        #expect(try transfer.server.isServing())
    }

    @Test(
        "so does one that is changed in the middle of being sent", arguments: ArchiveTests.formats,
        ["truncate -s 1M a", "echo more >>a", "touch -d @5 a"])
    func changing(format: String, command: String) throws {
        let transfer = try Transfer(format)
        try transfer.change(command)
        #expect(transfer.isCut())
    }

    @Test("one that is replaced while it is sent goes out as it was", arguments: ArchiveTests.formats)
    func replaced(format: String) throws {
        let transfer = try Transfer(format)
        try transfer.change("echo new >c; mv c a")
        try transfer.client.skip(transfer.length)
        #expect(try transfer.client.endsCleanly())
    }

    @Test("a client that leaves gives back what its archive held", arguments: ArchiveTests.formats)
    func leaving(format: String) throws {
        let transfer = try Transfer(format)
        let server = transfer.server
        let before = server.descriptors
        let clients = try (0..<10).map { _ in try transfer.join(format) }
        #expect(eventually { server.descriptors >= before + 20 }, "\(server.openFiles)")
        for (number, client) in clients.enumerated() { if number % 2 == 0 { client.reset() } else { client.close() } }
        // Some that are opened once for all may have come, in each worker.
        #expect(eventually { server.descriptors <= before + 3 * ServerProcess.workers }, "\(server.openFiles)")
        transfer.client.close()
        #expect(eventually { !server.openFiles.contains { $0.hasSuffix("/a") } }, "\(server.openFiles)")
    }

    @Test("past the most that are made at once the answer is 503, until one has ended", .oneWorker)
    func tooMany() throws {
        let transfer = try Transfer("zip")
        let server = transfer.server
        var clients = try (1..<32).map { _ in try transfer.join("tar") }
        let refused = try server.get("/?zip")
        #expect(refused.status == 503 && refused["retry-after"] != nil)
        #expect(try server.ask("HEAD", "/?zip").status == 200)
        #expect(try server.isServing())
        clients.removeLast().close()
        #expect(try eventually { try server.ask("GET", "/?zip&name=b").status == 200 })
    }

    @Test("a gigabyte goes out as archive in constant memory", arguments: ArchiveTests.formats)
    func largeMemory(format: String) throws {
        let folder = try TemporaryFolder()
        #expect(try Command.run(["truncate", "-s", "1G", folder.path(of: "giga.bin")]).status == 0)
        try folder.write("warm", noise(1 << 20))
        let server = try ServerProcess(folder.path)
        for target in ["/warm", "/?\(format)&name=warm"] { #expect(try server.get(target).status == 200) }
        let before = server.residentBytes
        let client = try server.connect()
        try client.send(HTTPRequest.bytes("GET", "/?\(format)", [("Connection", "close")]))
        let length = try #require(try client.readReplyHead()["content-length"].flatMap { Int($0) })
        try client.skip(length)
        #expect(try client.endsCleanly())
        let grown = server.peakResidentBytes - before
        #expect(grown < 8 << 20, "\(grown) bytes")
    }

    @Test("fifty thousand files go out in memory that does not grow with their number", arguments: ArchiveTests.formats)
    func manyMemory(format: String) throws {
        let folder = try TemporaryFolder()
        let script = """
            for d in range(10):
                os.mkdir(f'd{d}')
                for n in range(5000): os.mknod(f'd{d}/a file with a name of usual length {n}.txt')
            """
        #expect(try Command.run(["python3", "-c", "import os\n" + script], in: folder.path).status == 0)
        let server = try ServerProcess(folder.path)
        #expect(try server.get("/d1/?\(format)").status == 200)
        let before = server.residentBytes
        let client = try server.connect()
        try client.send(HTTPRequest.bytes("GET", "/?\(format)", [("Connection", "close")]))
        let length = try #require(try client.readReplyHead()["content-length"].flatMap { Int($0) })
        #expect(length > 5_000_000)
        try client.skip(length)
        #expect(try client.endsCleanly())
        let grown = server.peakResidentBytes - before
        #expect(grown < 16 << 20, "\(grown) bytes")
    }
}
