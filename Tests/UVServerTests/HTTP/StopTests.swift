import Glibc
import TestSupport
import Testing

@testable import UVServer

/// The loop does not run between what a client does here and the stop: what has been sent is with the kernel, and nobody has looked at it.
@Suite("A server that stops") @EventLoop struct StopTests {
    private func server(connections: Int = 100, perAddress: Int? = nil) -> HTTPServer {
        var limits = RequestLimits()
        limits.connections = connections
        limits.connectionsPerAddress = perAddress
        return HTTPServer(
            limits: limits,
            handler: { request in
                guard request.head.target.path.elementsEqual("/large".utf8) else { return await .bodyEnd(of: request) }
                return Response(.ok, type: "text/plain", bytes: [UInt8](repeating: 0x61, count: 8 << 20))
            },
            refusal: { Response($0.status, type: "text/plain", bytes: Array($0.reason.utf8)) }, answered: { _ in }
        )
    }

    private func listen(_ server: HTTPServer) throws -> UInt16 {
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { preconditionFailure("a literal") }
        return try server.listen(at: address).port
    }

    private nonisolated func put(_ client: RawClient) throws {
        try client.send("PUT /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
    }

    private nonisolated func expectLast(_ client: RawClient) throws {
        let reply = try client.readReply()
        #expect(reply.text == "3" && reply.closes)
        #expect(try client.endsCleanly())
    }

    /// Ends it with a grace that no test waits for.
    /// - Returns: how many requests it said to finish.
    private func stop(_ server: HTTPServer) async -> Int {
        var count = 0
        await server.stop(grace: .seconds(600)) { count = $0 }
        return count
    }

    @Test("answers whoever has sent a request and waits in its queue, and ends the others there")
    func queue() async throws {
        let server = self.server()
        let port = try self.listen(server)
        let clients = try (0..<50).map { _ in try RawClient(port: port) }
        let silent = try (0..<5).map { _ in try RawClient(port: port) }
        for client in clients { try self.put(client) }
        #expect(await self.stop(server) == 50)
        for client in clients { try self.expectLast(client) }
        for client in silent { #expect(try client.endsCleanly()) }
        #expect(throws: TestFailure.self) { try RawClient(port: port) }
    }

    @Test("answers what has come on an idle connection, and ends the others")
    func idle() async throws {
        let server = self.server()
        let port = try self.listen(server)
        let clients = try (0..<10).map { _ in try RawClient(port: port) }
        for client in clients {
            try self.put(client)
            while try client.receivesNothing() { await turns(1) }
            #expect(try client.readReply().text == "3")
        }
        for client in clients.prefix(5) { try self.put(client) }
        #expect(await self.stop(server) == 5)
        for client in clients.prefix(5) { try self.expectLast(client) }
        for client in clients.suffix(5) { #expect(try client.endsCleanly()) }
    }

    @Test("answers one request more after an answer that kept its connection open", arguments: [1, 3])
    @concurrent nonisolated func pipelined(more: Int) async throws {
        let server = await self.server()
        let client = try RawClient(port: try await self.listen(server), receiveBuffer: 4096)
        try client.send("GET /large HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try !client.readReplyHead().closes)
        for _ in 0..<more { try self.put(client) }
        let begun = Milestone()
        let stop = EventLoop.spawn { await server.stop(grace: .seconds(600)) { _ in begun.reach() } }
        await begun.reached()
        try client.skip(8 << 20)
        try self.expectLast(client)
        await stop.value
    }

    @Test("lets in as many from its queue as there is room for, which idle connections make")
    func cap() async throws {
        let server = self.server(connections: 4)
        let port = try self.listen(server)
        let idle = try (0..<4).map { _ in try RawClient(port: port) }
        await turns(20)
        let clients = try (0..<8).map { _ in try RawClient(port: port) }
        for client in clients { try self.put(client) }
        #expect(await self.stop(server) == 4)
        for client in idle { #expect(try client.endsCleanly()) }
        for client in clients.prefix(4) { try self.expectLast(client) }
        for client in clients.suffix(4) { #expect(throws: TestFailure.self) { try client.readReply() } }
    }

    @Test("leaves alone who waits in a queue that another process goes on with")
    func survivingQueue() async throws {
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { preconditionFailure("a literal") }
        let kept = try ListeningSocket(address)
        let server = self.server()
        try server.listen(on: try ListeningSocket(adopting: dup(kept.descriptor)))
        let clients = try (0..<10).map { _ in try RawClient(port: kept.address.port) }
        for client in clients.prefix(5) { try self.put(client) }
        #expect(await self.stop(server) == 0)
        let next = self.server()
        try next.listen(on: kept)
        for client in clients.suffix(5) { try self.put(client) }
        #expect(await self.stop(next) == 10)
        for client in clients { try self.expectLast(client) }
    }

    @Test("counts nobody among the running requests who is told to be one too many")
    func turnedAway() async throws {
        let server = self.server(perAddress: 1)
        let port = try self.listen(server)
        let served = try RawClient(port: port)
        let refused = try RawClient(port: port)
        for client in [served, refused] { try self.put(client) }
        #expect(await self.stop(server) == 1)
        try self.expectLast(served)
        #expect(try refused.readReply().status == 503)
    }
}
