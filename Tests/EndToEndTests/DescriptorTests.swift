import TestSupport
import Testing

/// Many more clients than there are descriptors for.
@Suite("out of descriptors", .timeLimit(.minutes(2)))
struct DescriptorTests {
    private static let content = noise(100_000)

    /// - Parameter request: sent by each as soon as it is connected.
    private func crowd(_ server: ServerProcess, _ count: Int, _ request: (Int) -> [UInt8]) throws -> [RawClient] {
        try (0..<count).map { number in
            let client = try server.connect()
            try client.send(request(number))
            return client
        }
    }

    @Test("A45 five hundred clients that ask at once are all answered, and uploads under way finish")
    func a45() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", Self.content)
        let server = try ServerProcess(folder.path, ["--durability", "none"], after: "ulimit -n 64")
        let half = Self.content.count / 2
        let uploads = try (0..<3).map { number in
            let client = try server.connect()
            let fields = [("Content-Length", String(Self.content.count)), ("Expect", "100-continue")]
            try client.send(HTTPRequest.bytes("PUT", "/begun\(number)", fields))
            #expect(try client.readReplyHead().status == 100)
            try client.send(Self.content.prefix(half))
            return client
        }
        let clients = try self.crowd(server, 500) { number in
            let fields = [("Connection", "close")]
            return number % 5 == 0
                ? HTTPRequest.bytes("PUT", "/put\(number)", fields, body: Array(Self.content.prefix(1000)))
                : HTTPRequest.bytes("GET", "/a", fields)
        }
        for (number, client) in clients.enumerated() {
            let reply = try client.readReply()
            #expect(number % 5 == 0 ? reply.status == 201 : isSame(reply.body, Self.content), "\(number): \(reply.status)")
            client.close()
        }
        for (number, upload) in uploads.enumerated() {
            try upload.send(Self.content.suffix(from: half))
            #expect(try upload.readReply().status == 201)
            #expect(isSame(folder.read("begun\(number)"), Self.content))
        }
        #expect(folder.visibleNames.count == 104)
        #expect(try server.stop() == 0)
    }

    @Test("A45 while all descriptors are taken by those who are waited for, the others wait without costing anything")
    func a45waiting() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"], after: "ulimit -n 64")
        // Each holds its place until its body comes, and most of them wait in the kernel's queue.
        let clients = try self.crowd(server, 500) { number in
            HTTPRequest.bytes("PUT", "/\(number)", [("Content-Length", "3"), ("Connection", "close")])
        }
        // What there is to do now has been done when nothing has been for a while.
        var (last, since) = (server.cpuSeconds, monotonicSeconds())
        let isQuiet = eventually {
            let now = server.cpuSeconds
            if now - last > 0.02 { (last, since) = (now, monotonicSeconds()) }
            return monotonicSeconds() - since > 1.5
        }
        #expect(isQuiet, "it spins: \(server.cpuSeconds) s")
        for client in clients { try client.send("abc") }
        for (number, client) in clients.enumerated() {
            #expect(try client.readReply().status == 201, "\(number)")
            client.close()
        }
        #expect(folder.visibleNames.count == 500)
        #expect(try server.stop() == 0)
    }

    @Test("slow uploads, however many, leave room for those who want to fetch something")
    func share() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", Self.content)
        let server = try ServerProcess(folder.path, ["--durability", "none"], after: "ulimit -n 64")
        let uploads = try self.crowd(server, 12) { number in
            HTTPRequest.bytes("PUT", "/\(number)", [("Content-Length", "3"), ("Connection", "close")])
        }
        for upload in uploads { try upload.send("a") }
        // Each asks over a connection of its own, and for a file that has to be opened.
        for number in 0..<20 {
            try folder.write("b\(number)", Self.content)
            #expect(try isSame(server.get("/b\(number)").body, Self.content))
            #expect(try server.ask("DELETE", "/b\(number)").status == 204)
        }
        #expect(folder.visibleNames.count == 1)
        // Whose turn it is depends on whose head came first.
        for upload in uploads { try upload.send("bc") }
        for (number, upload) in uploads.enumerated() {
            #expect(try upload.readReply().status == 201, "\(number)")
            upload.close()
        }
        #expect(folder.visibleNames.count == 13)
        #expect(try server.stop() == 0)
    }
}
