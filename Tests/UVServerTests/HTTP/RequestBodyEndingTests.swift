import TestSupport
import Testing

@testable import UVServer

/// Bodies that stop, break or are not read, through the real server.
@Suite("A request body that does not come whole", .timeLimit(.minutes(1))) struct RequestBodyEndingTests {
    /// Beginnings of a body: each may end nowhere here.
    private static let beginnings = [
        "Content-Length: 6\r\n\r\n", "Content-Length: 6\r\n\r\nabcde", "Transfer-Encoding: chunked\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n3", "Transfer-Encoding: chunked\r\n\r\n3\r\nab",
        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n",
    ]

    private static func begin(_ rest: String, path: String = "/count") -> String {
        "PUT \(path) HTTP/1.1\r\nHost: h\r\n" + rest
    }

    @Test("throws when the client ends it, and never looks like an end", arguments: Self.beginnings)
    func halfClosed(_ beginning: String) async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        try client.send(Self.begin(beginning))
        client.halfClose()
        let reply = try client.readReply()
        #expect(reply.text.split(separator: "\n")[1] == "clientClosed" && reply.closes)
        await server.stop()
    }

    @Test("throws when the client resets the connection", arguments: [Self.beginnings[1], Self.beginnings[6]])
    func reset(_ beginning: String) async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        try client.send(Self.begin(beginning))
        await server.pieces.reached()
        client.reset()
        await server.answered.reached()
        #expect(await server.journals.first?[1] == "clientClosed")
        await server.stop()
    }

    @Test("throws when nothing comes until the deadline, and the client can still be told", arguments: Self.beginnings)
    func timedOut(_ beginning: String) async throws {
        let server = try await BodyServer(bodyDeadline: .milliseconds(50))
        let client = try RawClient(port: await server.port)
        try client.send(Self.begin(beginning))
        let reply = try client.readReply()
        #expect(reply.text.split(separator: "\n")[1] == "timedOut" && reply.closes)
        await server.stop()
    }

    @Test("is under no deadline while the handler does something else")
    func busyHandler() async throws {
        let server = try await BodyServer(bodyDeadline: .milliseconds(50))
        let port = await server.port
        let first = try RawClient(port: port)
        try first.send(Self.begin("Content-Length: 6\r\n\r\nabc", path: "/wait"))
        await server.waits.reached()
        // Whoever began later and is waited for has been timed out meanwhile.
        let second = try RawClient(port: port)
        try second.send(Self.begin("Content-Length: 6\r\n\r\nabc"))
        #expect(try second.readReply().text.contains("timedOut"))
        try first.send("def")
        await server.mayRead.reach()
        #expect(try first.readReply().text.hasPrefix("announced 6\nend\n6 bytes"))
        await server.stop()
    }

    @Test(
        "throws at bad chunks",
        arguments: [
            ("x\r\n", "malformedChunk"), ("3\r\nabcd\r\n0\r\n\r\n", "malformedChunk"),
            ("3\r\nabc\r\n-1\r\n", "malformedChunk"), ("10000000000000000\r\n", "chunkTooLarge"),
        ])
    func malformed(_ chunks: String, _ error: String) async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        try client.send(Self.begin("Transfer-Encoding: chunked\r\n\r\n" + chunks))
        let reply = try client.readReply()
        let ending = reply.text.split(separator: "\n")[1]
        #expect(ending.hasPrefix("malformed(") && ending.contains(error) && reply.closes)
        await server.stop()
    }

    @Test(
        "because nobody wants it costs no connection where it has already come",
        arguments: ["Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"])
    func discarded(_ rest: String) async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        for _ in 0..<3 {
            try client.send(Self.begin(rest, path: "/early"))
            let reply = try client.readReply()
            #expect(reply.status == 409 && !reply.closes)
        }
        await server.stop()
    }

    @Test("because nobody wants it costs the connection where more is to come, and none of it is taken for a request")
    func notDiscarded() async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        try client.send(Self.begin("Content-Length: 1000\r\n\r\nabc", path: "/early"))
        let reply = try client.readReply()
        #expect(reply.status == 409 && reply.closes)
        client.sendIgnoringRefusal(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
        #expect(try client.endsCleanly())
        #expect(await server.journals.isEmpty)
        await server.stop()
    }
}
