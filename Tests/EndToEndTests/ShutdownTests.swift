import Glibc
import TestSupport
import Testing

/// Twenty transfers under way when the server is asked to end: what happens within `--shutdown-timeout`, and what at its end.
@Suite("the time that a stop takes", .timeLimit(.minutes(2)))
struct ShutdownTests {
    private static let content = noise(300_000)
    /// More than socket buffers hold.
    private static let downloadBytes = 16 << 20

    /// One of the twenty, whose first half is with the server, which waits for it.
    private struct Transfer {
        let client: RawClient
        let name: String
        /// What is left to be sent; `nil` for a download.
        let rest: [UInt8]?

        func finish() throws {
            guard let rest = self.rest else {
                try self.client.skip(ShutdownTests.downloadBytes - 100)
                return #expect(try self.client.endsCleanly(), "\(self.name)")
            }
            try self.client.send(rest)
            let reply = try self.client.readReply()
            #expect(reply.status == 201 && reply.closes, "\(self.name): \(reply.status) \(reply.text)")
            #expect(try self.client.endsCleanly(), "\(self.name)")
        }

        /// It has ended without success.
        func isCut() -> Bool {
            do {
                guard let rest = self.rest else {
                    try self.client.skip(ShutdownTests.downloadBytes - 100)
                    return false
                }
                self.client.sendIgnoringRefusal(rest)
                return try self.client.endsCleanly()
            } catch {
                // A reset, or an end too early; not a wait in vain.
                return !"\(error)".contains("nothing came")
            }
        }
    }

    private func prepare(_ options: [String], port: UInt16 = 0) throws -> (TemporaryFolder, ServerProcess) {
        let folder = try TemporaryFolder()
        #expect(try Command.run(["truncate", "-s", String(Self.downloadBytes), folder.path(of: "big")]).status == 0)
        let server = try ServerProcess(folder.path, ["--durability", "none"] + options, port: port)
        #expect(try server.isServing())
        return (folder, server)
    }

    private func begin(_ server: ServerProcess, _ number: Int) throws -> Transfer {
        if number % 2 == 0 {
            let client = try server.connect(receiveBuffer: 4096)
            try client.send(HTTPRequest.bytes("GET", "/big"))
            #expect(try client.readReplyHead().status == 200)
            try client.skip(100)
            return Transfer(client: client, name: "download \(number)", rest: nil)
        }
        let client = try server.connect()
        let isForm = number % 4 == 1
        let name = "file\(number)"
        let form = Form.one(name, Self.content)
        let body = isForm ? form.body : Self.content
        let fields = [
            ("Content-Length", String(body.count)), ("Expect", "100-continue"), ("Content-Type", form.contentType),
            ("Accept", "application/json"),
        ]
        try client.send(HTTPRequest.bytes(isForm ? "POST" : "PUT", isForm ? "/" : "/\(name)", fields))
        #expect(try client.readReplyHead().status == 100)
        try client.send(body.prefix(body.count / 2))
        return Transfer(client: client, name: name, rest: Array(body.dropFirst(body.count / 2)))
    }

    private func names(_ transfers: some Sequence<Transfer>) -> [String] {
        (transfers.filter { $0.rest != nil }.map(\.name) + ["big"]).sorted()
    }

    /// Binds the same port at once, and answers there.
    private func restart(_ server: ServerProcess, _ folder: TemporaryFolder) throws {
        let next = try ServerProcess(folder.path, port: server.port)
        #expect(next.port == server.port)
        #expect(try next.put("/next", bytes("x")).status == 201)
        #expect(try next.stop() == 0)
    }

    @Test("twenty transfers come to their end within it, idle connections end at once, and the port is free then")
    func finishes() throws {
        let (folder, server) = try self.prepare(["--shutdown-timeout", "60"])
        let transfers = try (0..<20).map { try self.begin(server, $0) }
        let idle = try (0..<10).map { _ in try server.connect() }
        for client in idle.prefix(5) {
            try client.send(HTTPRequest.bytes("HEAD", "/big"))
            #expect(try client.readReply(to: "HEAD").status == 200)
        }
        let start = monotonicSeconds()
        server.child.signal(SIGTERM)
        for client in idle { #expect(try client.endsCleanly()) }
        // Not when the transfers end, nor when a connection without a request is closed in any case.
        #expect(monotonicSeconds() - start < 10)
        #expect(eventually { server.child.errorText.contains("finishing 20 running requests, for 60 s at most") })
        #expect(server.isRunning)
        for transfer in transfers { try transfer.finish() }
        #expect(try server.child.wait() == 0, "\(server.child.errorText)")
        #expect(folder.visibleTexts == self.names(transfers))
        for transfer in transfers where transfer.rest != nil { #expect(isSame(folder.read(transfer.name), Self.content)) }
        try self.restart(server, folder)
    }

    @Test("what is left at its end is cut off and leaves nothing, and the port is free then")
    func cuts() throws {
        let (folder, server) = try self.prepare(["--shutdown-timeout", "10"])
        let transfers = try (0..<20).map { try self.begin(server, $0) }
        let start = monotonicSeconds()
        server.child.signal(SIGTERM)
        #expect(eventually { server.child.errorText.contains("finishing 20 running requests, for 10 s at most") })
        for transfer in transfers.prefix(4) { try transfer.finish() }
        #expect(try server.child.wait() == 0, "\(server.child.errorText)")
        #expect(monotonicSeconds() - start >= 10)
        for transfer in transfers.dropFirst(4) { #expect(transfer.isCut(), "\(transfer.name)") }
        #expect(folder.visibleTexts == self.names(transfers.prefix(4)))
        #expect(folder.allFiles.count == 3, "\(folder.allFiles)")
        try self.restart(server, folder)
    }

    @Test("0 cuts everything off at once, also by the environment")
    func atOnce() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, environment: ["UVDROP_SHUTDOWN_TIMEOUT": "0"])
        let upload = try self.begin(server, 3)
        #expect(try server.stop(within: 10) == 0)
        #expect(upload.isCut())
        #expect(folder.allFiles.isEmpty, "\(folder.allFiles)")
    }

    @Test("a worker that is stuck does not keep the rest from ending", .severalWorkers)
    func stuck() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--shutdown-timeout", "0"])
        let worker = try #require(server.serving.first)
        kill(worker, SIGSTOP)
        #expect(try server.stop() == 0)
        #expect(eventually { kill(worker, 0) != 0 })
    }
}
