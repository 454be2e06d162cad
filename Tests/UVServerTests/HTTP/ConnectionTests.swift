import TestSupport
import Testing

@testable import UVServer

/// A server with deadlines of a fraction of a second, and clients that stop in the middle. Each test waits for the server to end
/// the connection: `readToEnd` returns at that event.
@Suite("A connection") struct ConnectionTests {
    private static func limits(connections: Int = 100) -> RequestLimits {
        var limits = RequestLimits()
        limits.headDeadline = .milliseconds(200)
        limits.bodyGrace = .milliseconds(200)
        limits.writeGrace = .milliseconds(200)
        limits.keepAliveDeadline = .milliseconds(200)
        limits.lingerDeadline = .milliseconds(200)
        limits.connections = connections
        return limits
    }

    @EventLoop private static var counted = 0
    @EventLoop private static var atNextTurn = Int.max
    @EventLoop private static func countAtNextTurn() -> Int { self.atNextTurn }

    /// Answers `/size` with a body of 64 MiB, `/early` at once, and everything else with the number of body bytes.
    @EventLoop private static func start(_ limits: RequestLimits = ConnectionTests.limits()) throws -> (HTTPServer, UInt16) {
        let server = HTTPServer(
            limits: limits,
            handler: { request in
                switch String(decoding: request.head.target.path, as: UTF8.self) {
                case "/size": return Response(.ok, type: "text/plain", bytes: [UInt8](repeating: 0x61, count: 64 << 20))
                case "/some": return Response(.ok, type: "text/plain", bytes: [UInt8](repeating: 0x62, count: 300_000))
                case "/count":
                    self.counted += 1
                    if self.counted == 1 {
                        EventLoop.spawn {
                            await EventLoop.nextTurn()
                            self.atNextTurn = self.counted
                        }
                    }
                    return Response(.ok, type: "text/plain", bytes: [])
                case "/early": return Response(.conflict, type: "text/plain", bytes: Array("no".utf8))
                default: break
                }
                return await .bodyEnd(of: request)
            },
            refusal: { Response($0.status, type: "text/plain", bytes: Array($0.reason.utf8)) }, answered: { _ in }
        )
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { preconditionFailure("a literal") }
        return (server, try server.listen(at: address).port)
    }

    @Test(
        "that stops within a head or a body is answered 408 and closed",
        arguments: [
            "G", "GET / HTTP/1.1\r\nHost: h\r\n", "PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc",
            "PUT /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET",
        ]
    )
    func stops(_ start: String) async throws {
        let (server, port) = try await Self.start()
        let client = try RawClient(port: port)
        try client.send(start)
        let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
        #expect(answer.contains("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(answer.contains("Connection: close\r\n"))
        await server.stop()
    }

    @Test(
        "that is refused by HEAD gets no body (RFC 9110 section 9.3.2)",
        arguments: ["Content-Length: x\r\n", "X : y\r\n", "Host: h\r\n", "X: \u{0}\r\n"])
    func refusedHead(_ line: String) async throws {
        let (server, port) = try await Self.start()
        let client = try RawClient(port: port)
        try client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\(line)\r\n")
        let reply = try client.readReply(to: "HEAD")
        #expect(reply.status == 400 && reply.closes && reply["content-length"] != "0")
        #expect(try client.endsCleanly())
        await server.stop()
    }

    @Test("that says nothing, or only blank lines, is closed without a word", arguments: ["", "\r\n\r\n"])
    func silent(_ start: String) async throws {
        let (server, port) = try await Self.start()
        let client = try RawClient(port: port)
        try client.send(start)
        #expect(try client.readToEnd().isEmpty)
        await server.stop()
    }

    @Test("that is kept alive is closed without a word when nothing more comes")
    func keptAlive() async throws {
        let (server, port) = try await Self.start()
        let client = try RawClient(port: port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.readReply().text == "0")
        #expect(try client.readToEnd().isEmpty)
        await server.stop()
    }

    @Test("whose client does not read is ended by the write deadline")
    func stalledReader() async throws {
        let (server, port) = try await Self.start()
        let client = try RawClient(port: port, receiveBuffer: 4096)
        try client.send("GET /size HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.readReplyHead().status == 200)
        // Returns only when no connection is left, long before the grace would cut it off.
        await server.stop(grace: .seconds(600))
        client.close()
    }

    @Test("that is answered before its body has ended is closed after the answer was sent, within the linger deadline")
    func early() async throws {
        let (server, port) = try await Self.start()
        let client = try RawClient(port: port)
        try client.send("PUT /early HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nabc")
        let reply = try client.readReply()
        #expect(reply.status == 409)
        #expect(reply.closes)
        await server.stop(grace: .seconds(600))
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(
        "is answered early without a wait for the rest of a chunk",
        arguments: [
            "", "2000\r\n", "2000\r\nabc", "3\r\nabc", "3\r\nabc\r", "3\r\nabc\r\n",
            "1000\r\n" + String(repeating: "a", count: 4096),
        ])
    func earlyInChunk(_ start: String) async throws {
        var limits = Self.limits()
        limits.bodyGrace = .seconds(600)
        let (server, port) = try await Self.start(limits)
        let client = try RawClient(port: port)
        try client.send("PUT /early HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + start)
        #expect(try client.readReply().status == 409)
        client.close()
        await server.stop()
    }

    @Test("that pipelines answers from memory gives the loop away between them")
    func pipelining() async throws {
        let (server, port) = try await Self.start()
        let client = try RawClient(port: port)
        let request = "GET /count HTTP/1.1\r\nHost: h\r\n\r\n"
        try client.send(String(repeating: request, count: 200))
        for _ in 0..<200 { #expect(try client.readReply().status == 200) }
        // All of them came in one piece or two; what the first of a piece put off until the next turn had its turn.
        #expect(await Self.countAtNextTurn() <= 16)
        client.close()
        await server.stop()
    }

    @Test("whose client has its answer and neither reads nor closes holds the stop up for a moment only")
    func lingering() async throws {
        var limits = Self.limits()
        limits.lingerDeadline = .seconds(600)
        limits.stoppingLingerDeadline = .milliseconds(200)
        let (server, port) = try await Self.start(limits)
        let early = try RawClient(port: port)
        try early.send("PUT /early HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nabc")
        #expect(try early.readReply().status == 409)
        let malformed = try RawClient(port: port)
        try malformed.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try malformed.readReply().status == 400)
        await server.stop(grace: .seconds(600))
    }

    @Test("that was to be closed keeps what the client has not read when another request comes")
    func afterClose() async throws {
        let (server, port) = try await Self.start()
        for _ in 0..<20 {
            let client = try RawClient(port: port)
            try client.send("GET /some HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(try client.readReplyHead().status == 200)
            client.sendIgnoringRefusal(Array("GET /some HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
            #expect(try client.readToEnd().count == 300_000)
        }
        await server.stop()
    }

    @Test("keeps a place in the queue while the server is full, and is served when another has gone")
    func full() async throws {
        var limits = Self.limits(connections: 2)
        limits.keepAliveDeadline = .seconds(600)
        let (server, port) = try await Self.start(limits)
        let clients = try (0..<6).map { _ in try RawClient(port: port) }
        for client in clients {
            try client.send("PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
        }
        for client in clients { #expect(try client.readReply().text == "3") }
        await server.stop()
    }

    @Test("that is busy when the server stops is served to the end, and does not hold the stop up by being kept alive")
    func stopping() async throws {
        var limits = Self.limits()
        limits.keepAliveDeadline = .seconds(600)
        limits.bodyGrace = .seconds(600)
        let (server, port) = try await Self.start(limits)
        let client = try RawClient(port: port)
        // The 100 says that the handler runs.
        try client.send("PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.readReplyHead().status == 100)
        let stop = EventLoop.spawn { await server.stop(grace: .seconds(600)) }
        try client.send("abc")
        #expect(try client.readReply().text == "3")
        #expect(try client.readToEnd().isEmpty)
        await stop.value
    }

    @Test("that has been idle longest makes room at the cap, one that is busy never does")
    func makesRoom() async throws {
        var limits = Self.limits(connections: 3)
        limits.keepAliveDeadline = .seconds(600)
        limits.bodyGrace = .seconds(600)
        let (server, port) = try await Self.start(limits)
        func ask(_ client: RawClient) throws { try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n") }
        let busy = try RawClient(port: port)
        try busy.send("PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        #expect(try busy.readReplyHead().status == 100)
        var idle: [RawClient] = []
        for round in 0..<8 {
            // The clock of the loop has milliseconds: each has to be idle later than the one before.
            let before = await LoopClock.now
            while await LoopClock.now == before { await turns(1) }
            let next = try RawClient(port: port)
            try ask(next)
            #expect(try next.readReply().text == "0", "\(round)")
            idle.append(next)
            if round >= 2 {
                #expect(try idle[round - 2].readToEnd().isEmpty)
                #expect(try idle[round - 1].receivesNothing())
            }
        }
        try busy.send("abc")
        #expect(try busy.readReply().text == "3")
        await server.stop()
    }

    @Test("that says nothing makes room after a while only, and new ones wait until then")
    func silentMakesRoom() async throws {
        var limits = Self.limits(connections: 2)
        limits.keepAliveDeadline = .seconds(600)
        limits.silence = .seconds(600)
        let (patient, patientPort) = try await Self.start(limits)
        let silent = try (0..<2).map { _ in try RawClient(port: patientPort) }
        let late = try RawClient(port: patientPort)
        try late.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        await turns(20)
        #expect(try late.receivesNothing() && silent[0].receivesNothing())
        silent[1].close()
        #expect(try late.readReply().text == "0")
        await patient.stop()
        limits.silence = .milliseconds(1)
        let (server, port) = try await Self.start(limits)
        let clients = try (0..<20).map { _ in try RawClient(port: port) }
        let last = try RawClient(port: port)
        try last.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try last.readReply().text == "0")
        #expect(try clients[0].readToEnd().isEmpty)
        await server.stop()
    }

    @Test("waits in turn with its request where descriptors are short, and nothing is dropped")
    func inTurn() async throws {
        var limits = Self.limits()
        limits.descriptors = 12
        limits.connections = 8
        limits.keepAliveDeadline = .seconds(600)
        limits.bodyGrace = .seconds(600)
        let (server, port) = try await Self.start(limits)
        let clients = try (0..<30).map { _ in try RawClient(port: port) }
        for client in clients {
            try client.send("PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nConnection: close\r\n\r\n")
        }
        await turns(20)
        for client in clients.reversed() { try client.send("abc") }
        for client in clients { #expect(try client.readReply().text == "3") }
        await server.stop()
    }
}
