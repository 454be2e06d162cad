import TestSupport
import Testing

@Suite("few descriptors")
struct CapTests {
    @Test("A45 idle connections beyond the cap keep nobody out, and cost no time")
    func a45() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, after: "ulimit -n 64")
        let upload = try server.connect()
        try upload.send(HTTPRequest.bytes("PUT", "/half", [("Content-Length", "10"), ("Expect", "100-continue")]))
        #expect(try upload.readReplyHead().status == 100)
        var idle = try (0..<200).map { _ in try server.connect() }
        let content = noise(100_000)
        // It waits until the first of them have said nothing for long enough.
        #expect(try server.put("/late", content).status == 201)
        #expect(isSame(folder.read("late"), content))
        for _ in 0..<10 { #expect(try server.get("/late").status == 200) }
        try upload.send("0123456789")
        #expect(try upload.readReply(to: "PUT").status == 201)
        idle.removeAll()
        #expect(try server.isServing())
        #expect(server.cpuSeconds < 3)
        #expect(try server.stop() == 0)
    }

    /// The first that has been sent something; `nil` when none has within the time limit.
    private func ready(_ clients: [RawClient]) throws -> Int? {
        var found: Int?
        _ = try eventually {
            found = try clients.firstIndex { try !$0.receivesNothing() }
            return found != nil || clients.isEmpty
        }
        return found
    }

    @Test("downloads that nobody reads make others wait for their turn, and all are answered")
    func turns() throws {
        let folder = try TemporaryFolder()
        let content = noise(3_000_000)
        try folder.write("big", content)
        let server = try ServerProcess(folder.path, after: "ulimit -n 100")
        var waiting = try (0..<60).map { _ in try server.connect(receiveBuffer: 4096) }
        for client in waiting { try client.send(HTTPRequest.bytes("GET", "/big", [("Connection", "close")])) }
        while let index = try self.ready(waiting) {
            let client = waiting.remove(at: index)
            #expect(try isSame(client.readReply().body, content))
            client.close()
        }
        #expect(waiting.isEmpty)
        #expect(try server.isServing())
    }

    @Test("keep-alive connections beyond the cap are closed, the longest idle first, and each new one is answered", .oneWorker)
    func idlest() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "x")
        let server = try ServerProcess(folder.path, after: "ulimit -n 64")
        var clients: [RawClient] = []
        for _ in 0..<300 {
            let client = try server.connect()
            try client.send(HTTPRequest.bytes("GET", "/a"))
            #expect(try isSame(client.readReply().body, bytes("x")))
            clients.append(client)
        }
        // The last ones are open, and those before are not.
        let open = try clients.map { try $0.receivesNothing() }
        let count = open.count { $0 }
        #expect((15...40).contains(count) && open.suffix(count - 2).allSatisfy { $0 }, "\(count)")
    }
}
