import TestSupport
import Testing

@testable import UVServer

/// Clients that move all the time, with graces of a fraction of a second: what counts is whether they are fast enough.
@Suite("The pace of a client", .timeLimit(.minutes(1))) struct PaceTests {
    /// More than a client can do that is asked for a piece every few milliseconds.
    private static let unreachable: Int64 = 1 << 40
    private static let answerBytes = 64 << 20

    private static func limits(_ bytesPerSecond: Int64, grace: Duration) -> RequestLimits {
        var limits = RequestLimits()
        limits.bodyGrace = grace
        limits.writeGrace = grace
        limits.bytesPerSecond = bytesPerSecond
        return limits
    }

    /// Answers a `GET` with a large body, and all else with how its body ended.
    @EventLoop private static func start(
        _ bytesPerSecond: Int64, grace: Duration = .milliseconds(600)
    ) throws -> (HTTPServer, UInt16) {
        let server = HTTPServer(
            limits: self.limits(bytesPerSecond, grace: grace),
            handler: { request in
                guard request.head.method != .get else {
                    return Response(.ok, type: "text/plain", bytes: [UInt8](repeating: 0x61, count: self.answerBytes))
                }
                return await .bodyEnd(of: request)
            }, refusal: { Response($0.status) }, answered: nil)
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { preconditionFailure("a literal") }
        return (server, try server.listen(at: address).port)
    }

    private static let framings = ["Content-Length: 1000000", "Transfer-Encoding: chunked"]

    /// A piece of a body of that framing.
    private static func piece(_ framing: String, _ count: Int) -> [UInt8] {
        let content = [UInt8](repeating: 0x62, count: count)
        return framing.hasPrefix("T") ? HTTPRequest.chunked(content, size: count).dropLast(5) : content
    }

    @Test("that sends a body byte by byte, and too slowly, is answered 408 although it never pauses", arguments: Self.framings)
    func slowBody(_ framing: String) async throws {
        let (server, port) = try await Self.start(Self.unreachable)
        let client = try RawClient(port: port)
        try client.send("PUT /x HTTP/1.1\r\nHost: h\r\n\(framing)\r\n\r\n")
        let isAnswered = try eventually {
            client.sendIgnoringRefusal(Self.piece(framing, 1))
            return try !client.receivesNothing()
        }
        #expect(isAnswered)
        let reply = try client.readReply()
        #expect(reply.status == 408 && reply.closes && reply.text == "timedOut")
        client.close()
        await server.stop()
    }

    @Test("that is high enough lets a body take many graces", arguments: Self.framings)
    func fastBody(_ framing: String) async throws {
        let (server, port) = try await Self.start(1000, grace: .milliseconds(1500))
        let client = try RawClient(port: port)
        try client.send("PUT /x HTTP/1.1\r\nHost: h\r\n\(framing)\r\n\r\n")
        let end = monotonicSeconds() + 4
        var sent = 0
        let isOver = try eventually {
            let isOver = monotonicSeconds() >= end || sent == 900_000
            let count = isOver ? 1_000_000 - sent : 1000
            try client.send(Self.piece(framing, count))
            sent += count
            return isOver
        }
        #expect(isOver && monotonicSeconds() >= end)
        if framing.hasPrefix("T") { try client.send("0\r\n\r\n") }
        let reply = try client.readReply()
        #expect(reply.status == 200 && reply.text == "1000000", "\(reply.text)")
        client.close()
        await server.stop()
    }

    @Test("that reads an answer in small pieces, and too slowly, is cut off although it never pauses")
    func slowReader() async throws {
        let (server, port) = try await Self.start(Self.unreachable)
        let client = try RawClient(port: port, receiveBuffer: 4096)
        try client.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.readReplyHead().status == 200)
        // It returns when no connection is left; the client still gets what the kernel had taken, and knows of nothing.
        let isOver = PosixMutex(false)
        EventLoop.spawn {
            await server.stop(grace: .seconds(600))
            isOver.withLock { $0 = true }
        }
        let isCut = try eventually {
            try client.skip(2000)
            return isOver.withLock { $0 }
        }
        #expect(isCut)
    }

    @Test("that is high enough lets an answer take many graces, also where the kernel holds more than is read in one")
    func fastReader() async throws {
        let (server, port) = try await Self.start(1000, grace: .milliseconds(1500))
        let client = try RawClient(port: port)
        try client.send("GET /big HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(try client.readReplyHead().status == 200)
        let end = monotonicSeconds() + 5
        var count = 0
        let isOver = try eventually {
            try client.skip(2000)
            count += 2000
            return monotonicSeconds() >= end
        }
        #expect(isOver)
        try client.skip(Self.answerBytes - count)
        #expect(try client.endsCleanly())
        await server.stop()
    }
}
