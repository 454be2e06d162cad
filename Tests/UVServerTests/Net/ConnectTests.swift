import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("Connecting", .timeLimit(.minutes(1))) struct ConnectTests {
    @Test("gives a stream that sends and receives", arguments: ["127.0.0.1", "::1"]) @EventLoop
    func both(_ host: String) async throws {
        let accepted = Accepted()
        let listener = try TCPListener(#require(SocketAddress(host: host, port: 0))) { stream in accepted.take(stream) }
        defer { listener.close() }
        let client = try await TCPStream.connect(to: listener.address)
        let server = await accepted.next()
        try await client.write(Array("ping".utf8))
        #expect(try await Self.text(server.read()) == "ping")
        try await server.write(Array("pong".utf8))
        #expect(try await Self.text(client.read()) == "pong")
        client.finishWriting()
        #expect(try await server.read() == nil)
        client.close()
        server.close()
    }

    @Test("to a port where nobody listens is refused") @EventLoop
    func refused() async throws {
        let listener = try Accepted().listen()
        let address = listener.address
        listener.close()
        // The port is free once the loop has closed the socket.
        await EventLoop.nextTurn()
        await #expect(throws: UVError(code: -ECONNREFUSED, call: "connect")) { try await TCPStream.connect(to: address) }
    }

    @Test("to a host that answers nothing ends when the patience does") @EventLoop
    func silent() async throws {
        let listener = try RawListener(backlog: 0)
        let first = try await TCPStream.connect(to: listener.address)
        await #expect(throws: UVError(code: -ETIMEDOUT, call: "connect")) {
            try await TCPStream.connect(to: listener.address, within: .milliseconds(50))
        }
        first.close()
    }

    @Test("with a small receive buffer takes little of what nobody reads") @EventLoop
    func small() async throws {
        let listener = try RawListener()
        var taken: [Int] = []
        for receiveBuffer in [4096, nil] as [CInt?] {
            let client = try await TCPStream.connect(to: listener.address, receiveBuffer: receiveBuffer)
            taken.append(try listener.fillOne())
            client.close()
        }
        #expect(taken[0] < 32 << 10)
        #expect(taken[1] >= 64 << 10)
    }

    private static func text(_ chunk: ByteChunk?) -> String? {
        chunk?.withSpan { span in String(decoding: span.indices.map { span[$0] }, as: UTF8.self) }
    }
}
