import TestSupport
import Testing

@Suite("connections of one address")
struct AddressLimitTests {
    /// A connection that is busy: its upload never ends.
    private func busy(_ server: ServerProcess, ipv6: Bool = false) throws -> RawClient {
        let client = try RawClient(port: server.port, ipv6: ipv6)
        try client.send(HTTPRequest.bytes("PUT", "/never", [("Content-Length", "10"), ("Expect", "100-continue")]))
        return client
    }

    @Test("one that is too many is told so at once, without having asked, until another has ended", .oneWorker)
    func tooMany() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--max-connections-per-address", "2"], bind: "127.0.0.1,::1")
        let held = try (0..<2).map { _ in try self.busy(server) }
        for client in held { #expect(try client.readReplyHead().status == 100) }
        let refused = try server.connect()
        let reply = try refused.readReply()
        #expect(reply.status == 503 && reply["retry-after"] != nil && reply.closes)
        #expect(reply.text.contains("your address has too many"), "\(reply.text)")
        // Who has asked before it was told can read it all the same.
        #expect(try server.get("/").status == 503)
        let other = try self.busy(server, ipv6: true)
        #expect(try other.readReplyHead().status == 100)
        held[0].close()
        #expect(try eventually { try server.get("/").status == 200 })
        try held[1].send("0123456789")
        #expect(try held[1].readReply().status == 201)
    }

    @Test("who opens many more gets no answer to all of them, and harms nobody else", .oneWorker)
    func flood() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--max-connections-per-address", "3"], bind: "127.0.0.1,::1")
        let held = try (0..<3).map { _ in try self.busy(server) }
        for client in held { #expect(try client.readReplyHead().status == 100) }
        let before = server.descriptors
        let flood = try (0..<100).map { _ in try server.connect() }
        #expect(try eventually { try flood.allSatisfy { try !$0.receivesNothing() } })
        #expect(server.descriptors <= before + 4)
        let answered = flood.count { (try? $0.readReplyHead().status) == 503 }
        #expect(answered >= 3 && answered < 50, "\(answered)")
        let other = try RawClient(port: server.port, ipv6: true)
        try other.send(HTTPRequest.bytes("GET", "/"))
        #expect(try other.readReply().status == 200)
    }

    @Test("idle ones make room for new ones, the longest idle first", .oneWorker)
    func idle() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "x")
        let server = try ServerProcess(folder.path, ["--max-connections-per-address", "4"])
        var clients: [RawClient] = []
        for _ in 0..<40 {
            let client = try server.connect()
            try client.send(HTTPRequest.bytes("GET", "/a"))
            #expect(try client.readReply().text == "x")
            clients.append(client)
        }
        let open = try clients.map { try $0.receivesNothing() }
        // The last ones, as far as the clock tells them apart.
        #expect(open.count { $0 } == 4 && open.last == true && open.prefix(20).allSatisfy { !$0 }, "\(open)")
    }

    @Test("one after the other is never too many, however it ends")
    func sequence() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "x")
        let server = try ServerProcess(folder.path, ["--max-connections-per-address", "1"])
        for number in 0..<200 {
            switch number % 4 {
            case 0: #expect(try server.get("/a").status == 200, "\(number)")
            case 1: #expect(try server.put("/up\(number)", bytes("y")).status == 201, "\(number)")
            case 2: #expect(try server.ask("PUT", "/a", body: noise(100_000)).status == 409, "\(number)")
            default:
                let client = try server.connect()
                try client.send(HTTPRequest.bytes("GET", "/a"))
                #expect(try client.readReply().status == 200, "\(number)")
                if number % 8 == 3 { client.reset() } else { client.close() }
            }
        }
    }

    @Test("each worker counts its share", .severalWorkers)
    func shares() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--max-connections-per-address", "8"])
        let clients = try (0..<60).map { _ in try self.busy(server) }
        let served = clients.count { (try? $0.readReplyHead().status) == 100 }
        #expect(served > 8 / ServerProcess.workers && served <= 8, "\(served)")
    }

    @Test("--max-connections bounds all addresses together: new ones wait while all are busy", .oneWorker)
    func total() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--max-connections", "5"], bind: "127.0.0.1,::1")
        let held = try (0..<5).map { number in try self.busy(server, ipv6: number % 2 == 0) }
        for client in held { #expect(try client.readReplyHead().status == 100) }
        let sockets = { server.openFiles.count { $0.hasPrefix("socket:") } }
        let before = sockets()
        let waiting = try server.connect()
        try waiting.send(HTTPRequest.bytes("GET", "/"))
        // Whoever is served is answered again and again meanwhile, without a moment in which it is idle.
        for number in 0..<20 {
            let next = HTTPRequest.bytes("PUT", "/\(number)", [("Content-Length", "10"), ("Expect", "100-continue")])
            try held[4].send(bytes("0123456789") + next)
            #expect(try held[4].readReply().status == 201)
            #expect(try held[4].readReplyHead().status == 100)
        }
        for client in held.dropLast() { #expect(try client.receivesNothing()) }
        #expect(try waiting.receivesNothing())
        #expect(sockets() == before, "\(server.openFiles)")
        try held[4].send("0123456789")
        #expect(try held[4].readReply().status == 201)
        // It is idle now and makes room.
        #expect(try waiting.readReply().status == 200)
    }
}
