import TestSupport
import Testing

@testable import UVServer

/// Through the real server: what its handler reads of what a client sends.
@Suite("A request body", .timeLimit(.minutes(1))) struct RequestBodyTests {
    private static func head(_ fields: String..., path: String = "/") -> String {
        "PUT \(path) HTTP/1.1\r\nHost: h\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    private static func chunked(path: String = "/") -> String { self.head("Transfer-Encoding: chunked", path: path) }

    /// Bytes that differ at each place within 64 KiB, in lines of text.
    private static func content(_ lines: Int) -> String { (0..<lines).map { "\($0)\n" }.joined() }

    @Test("of an announced length is read to its last byte, and the next request begins behind it")
    func length() async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        let content = Self.content(60_000)
        try client.send(Self.head("Content-Length: \(content.utf8.count)") + content + Self.head("Content-Length: 3") + "abc")
        let isWhole = try client.readReply().text == "announced \(content.utf8.count)\nend\n" + content
        #expect(isWhole)
        #expect(try client.readReply().text == "announced 3\nend\nabc")
        await server.stop()
    }

    @Test("in chunks is read without their heads, and the next request begins behind them", arguments: [1, 1000, 5000, 100_000])
    func chunks(_ size: Int) async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        let content = Self.content(size == 1 ? 5000 : 60_000)
        try client.send(Array(Self.chunked().utf8) + HTTPRequest.chunked(Array(content.utf8), size: size))
        try client.send(Self.chunked() + "3;x=y\r\nabc\r\n0\r\nTrailer: z\r\n\r\n")
        let isWhole = try client.readReply().text == "announced nothing\nend\n" + content
        #expect(isWhole)
        #expect(try client.readReply().text == "announced nothing\nend\nabc")
        await server.stop()
    }

    @Test(
        "without a byte has an end at once, and its client is not told to send it",
        arguments: [[], ["Content-Length: 0"], ["Content-Length: 0", "Expect: 100-continue"], ["Expect: 100-continue"]])
    func empty(_ fields: [String]) async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        try client.send("PUT / HTTP/1.1\r\nHost: h\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n")
        let reply = try client.readReply(passingInterim: false)
        #expect(reply.status == 200 && reply.text == "announced 0\nend\n")
        await server.stop()
    }

    // MARK: 100 Continue

    @Test("is asked for when the handler reads it, once", arguments: ["Content-Length: 6", "Transfer-Encoding: chunked"])
    func continues(_ framing: String) async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        try client.send(Self.head(framing, "Expect: 100-continue", path: "/wait"))
        await server.waits.reached()
        await turns(3)
        // Nothing has been written while the handler did not read.
        #expect(try client.receivesNothing())
        await server.mayRead.reach()
        #expect(try client.readReply(passingInterim: false).status == 100)
        try client.send(framing.hasPrefix("Content") ? "abc" : "3\r\nabc\r\n")
        try client.send(framing.hasPrefix("Content") ? "def" : "3\r\ndef\r\n0\r\n\r\n")
        let reply = try client.readReply(passingInterim: false)
        #expect(reply.status == 200 && reply.text.contains("end\n6 bytes"))
        await server.stop()
    }

    @Test("that nobody reads is not asked for, and costs the connection: the client may send it or not")
    func refusedContinue() async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        try client.send(Self.head("Content-Length: 3", "Expect: 100-continue", path: "/early"))
        let reply = try client.readReply(passingInterim: false)
        #expect(reply.status == 409 && reply.closes)
        #expect(try client.endsCleanly())
        await server.stop()
    }

    // MARK: Pieces

    @Test("of many small chunks that have come together is read in one piece")
    func gathers() async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        let content = [UInt8](repeating: 0x61, count: 2000)
        try client.send(Array(Self.chunked(path: "/wait").utf8) + HTTPRequest.chunked(content, size: 1))
        await server.waits.reached()
        await turns(3)
        await server.mayRead.reach()
        #expect(try client.readReply().text == "announced nothing\nend\n2000 bytes in 1 reads")
        await server.stop()
    }

    @Test("is handed on chunk by chunk to a client that waits for each: putting them together never waits for the network")
    func waitsForNone() async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        try client.send(Self.chunked(path: "/count") + "1\r\na\r\n")
        await server.pieces.reached(1)
        try client.send("1\r\nb\r\n")
        await server.pieces.reached(2)
        try client.send("0\r\n\r\n")
        #expect(try client.readReply().text == "announced nothing\nend\n2 bytes in 2 reads")
        await server.stop()
    }

    @Test("that nobody reads is not taken from the network beyond what buffers hold; the sender goes on when it is read")
    func backpressure() async throws {
        let server = try await BodyServer()
        let client = try RawClient(port: await server.port)
        let size = 64 << 20
        try client.send(Self.head("Content-Length: \(size)", path: "/wait"))
        await server.waits.reached()
        let block = [UInt8](repeating: 1, count: 1 << 20)
        var (sent, refusals) = (0, 0)
        // In a hundred turns a server that still read would have made room.
        while sent < size, refusals < 100 {
            let count = try client.sendAvailable(block.prefix(size - sent))
            refusals = count == 0 ? refusals + 1 : 0
            sent += count
            await turns(1)
        }
        #expect(sent < size)
        await server.mayRead.reach()
        while sent < size {
            try client.send(block.prefix(size - sent))
            sent += min(block.count, size - sent)
        }
        #expect(try client.readReply().text.hasPrefix("announced \(size)\nend\n\(size) bytes"))
        await server.stop()
    }
}
