import Glibc
import TestSupport
import Testing

@Suite("ending in the middle of everything")
struct StopTests {
    private static let content = noise(5_000_000)
    /// Of a file, larger than what socket buffers hold.
    private static let downloadBytes = 50 << 20

    /// Clients in the middle of what they do: what they have sent has reached the server, which waits for them.
    private struct Clients {
        let put: RawClient
        let chunked: RawClient
        let form: RawClient
        let download: RawClient
        let head: RawClient

        /// The requests that they began.
        static let count = 5
    }

    private let form = Form.one("form.bin", StopTests.content)

    /// Sends the head, waits until the server asks for the body, and sends the first half of that.
    private func begin(_ server: ServerProcess, _ method: String, _ target: String, _ fields: [(String, String)], _ body: [UInt8])
        throws -> RawClient
    {
        let client = try server.connect()
        try client.send(HTTPRequest.bytes(method, target, fields + [("Expect", "100-continue")]))
        #expect(try client.readReplyHead().status == 100)
        try client.send(body.prefix(body.count / 2))
        return client
    }

    private var chunks: [UInt8] { HTTPRequest.chunked(Self.content, size: 50_000) }

    private func begin(_ server: ServerProcess, in folder: TemporaryFolder) throws -> Clients {
        // It has no answer that would tell that it has arrived: whoever comes later has been answered.
        let head = try server.connect()
        try head.send("GET /small HT")
        let download = try server.connect(receiveBuffer: 4096)
        try download.send(HTTPRequest.bytes("GET", "/big.bin"))
        #expect(try download.readReplyHead()["content-length"] == String(Self.downloadBytes))
        try download.skip(100)
        let formFields = [
            ("Content-Type", self.form.contentType), ("Content-Length", String(self.form.body.count)),
            ("Accept", "application/json"),
        ]
        return try Clients(
            put: self.begin(server, "PUT", "/put.bin", [("Content-Length", String(Self.content.count))], Self.content),
            chunked: self.begin(server, "PUT", "/chunked.bin", [("Transfer-Encoding", "chunked")], self.chunks),
            form: self.begin(server, "POST", "/", formFields, self.form.body), download: download, head: head)
    }

    private func prepare() throws -> (TemporaryFolder, ServerProcess, before: [String: Int]) {
        let folder = try TemporaryFolder()
        #expect(try Command.run(["truncate", "-s", String(Self.downloadBytes), folder.path(of: "big.bin")]).status == 0)
        try folder.write("small", "small")
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        #expect(try server.isServing())
        return (folder, server, folder.allFiles)
    }

    /// Asks it to end, and returns when it says that it waits for all that was begun.
    private func signal(_ server: ServerProcess) {
        server.child.signal(15)
        let words = "finishing \(Clients.count) running requests"
        #expect(eventually { server.child.errorText.contains(words) }, "\(server.child.errorText)")
        #expect(server.isRunning)
    }

    @Test(
        "SIGTERM lets uploads, downloads and heads under way come to their end, and takes nothing new",
        arguments: ["the head is finished", "the head's client leaves", "the head stays as it is"])
    func gently(way: String) throws {
        let (folder, server, _) = try self.prepare()
        let clients = try self.begin(server, in: folder)
        self.signal(server)
        #expect(throws: TestFailure.self) { try server.connect() }

        for (client, body) in [(clients.put, Self.content), (clients.chunked, self.chunks), (clients.form, self.form.body)] {
            try client.send(body.suffix(from: body.count / 2))
            let reply = try client.readReply()
            #expect(reply.status == 201 && reply.closes, "\(reply.status) \(reply.text)")
            #expect(try client.endsCleanly())
        }
        for name in ["put.bin", "chunked.bin", "form.bin"] { #expect(isSame(folder.read(name), Self.content), "\(name)") }
        try clients.download.skip(Self.downloadBytes - 100)
        #expect(try clients.download.endsCleanly())

        #expect(server.isRunning, "it did not wait for a head that had begun")
        switch way {
        case "the head is finished":
            try clients.head.send("TP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            let reply = try clients.head.readReply()
            #expect(reply.status == 200 && reply.closes && isSame(reply.body, bytes("small")), "\(reply.status)")
            #expect(try clients.head.endsCleanly())
        case "the head's client leaves": clients.head.close()
        default:
            // It gets the ten seconds that every head gets, and no more because the server stops.
            #expect(try clients.head.readReply().status == 408)
        }
        #expect(try server.child.wait(within: 5) == 0, "\(server.child.errorText)")
        #expect(folder.visibleTexts == ["big.bin", "chunked.bin", "form.bin", "put.bin", "small"])
        #expect(folder.allFiles.count == 5, "\(folder.allFiles)")
    }

    @Test("a second signal ends it at once, and nothing half-made stays", arguments: [15, 2] as [Int32])
    func atOnce(second: Int32) throws {
        let (folder, server, before) = try self.prepare()
        let clients = try self.begin(server, in: folder)
        self.signal(server)
        server.child.signal(second)
        #expect(try server.child.wait(within: 5) == 0, "\(server.child.errorText)")
        #expect(folder.allFiles == before, "\(folder.allFiles)")
        // Nobody was told of a success.
        for client in [clients.put, clients.chunked, clients.form, clients.head] {
            do { #expect(try client.endsCleanly()) } catch { #expect("\(error)".contains("errno 104"), "\(error)") }
        }
        // What it left is swept, and the names are free.
        let next = try ServerProcess(folder.path)
        #expect(try next.put("/put.bin", bytes("whole")).status == 201)
    }

    @Test("SIGTERM finishes what has arrived and nobody has looked at", arguments: ["new connections", "used connections"])
    func arrived(kind: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("small", "small")
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        #expect(try server.isServing())
        let isNew = kind == "new connections"
        func connect() throws -> RawClient {
            let client = try server.connect()
            guard !isNew else { return client }
            try client.send(HTTPRequest.bytes("GET", "/small"))
            #expect(try client.readReply().text == "small")
            return client
        }
        let used = isNew ? [] : try (0..<55).map { _ in try connect() }
        let serving = server.serving
        for process in serving { kill(process, SIGSTOP) }
        let clients = isNew ? try (0..<55).map { _ in try connect() } : used
        for (number, client) in clients.prefix(50).enumerated() {
            try client.send(HTTPRequest.bytes("PUT", "/\(number)", body: noise(1000)))
        }
        server.child.signal(SIGTERM)
        for process in serving { kill(process, SIGCONT) }
        for client in clients.prefix(50) {
            // Whether it closes depends on which was looked at first, the signal or the client.
            #expect(try client.readReply().status == 201)
            #expect(try client.endsCleanly())
        }
        for client in clients.suffix(5) { #expect(try client.endsCleanly()) }
        #expect(try server.child.wait() == 0, "\(server.child.errorText)")
        #expect(folder.visibleTexts.count == 51)
    }
}
