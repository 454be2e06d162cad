import TestSupport
import Testing

@testable import UVServer

@Suite("A body that is made while it is sent", .timeLimit(.minutes(1))) struct MadeBodyTests {
    /// Pieces of memory, then an error where there is to be one.
    @EventLoop private final class Pieces: MadeBody {
        private var pieces: [String]
        private let fails: Bool

        init(_ pieces: [String], fails: Bool) {
            self.pieces = pieces.reversed()
            self.fails = fails
        }

        func next() async throws(UVError) -> MadePiece? {
            await EventLoop.nextTurn()
            if let piece = self.pieces.popLast() { return .chunk(.copying(Array(piece.utf8))) }
            if self.fails { throw UVError(code: -5, call: "pread") }
            return nil
        }
    }

    /// What a client receives, and whether the log says that it went out whole.
    private static func fetch(_ pieces: [String], announced: Int64, fails: Bool = false) async throws -> (String, Bool) {
        let ends = PosixMutex<[Bool]>([])
        let server = await HTTPServer(
            limits: RequestLimits(),
            handler: { _ in Response(.ok, body: .made(Pieces(pieces, fails: fails), length: announced)) },
            refusal: { Response($0.status) }, answered: { record in ends.withLock { $0.append(record.isWhole) } })
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { preconditionFailure("a literal") }
        let client = try RawClient(port: try await server.listen(at: address).port)
        try client.send(HTTPRequest.bytes("GET", "/", [("Connection", "close")]))
        let reply = try client.readReplyHead()
        #expect(reply["content-length"] == String(announced))
        let body = try client.readToEnd()
        #expect(eventually { ends.withLock { $0.count } == 1 })
        client.close()
        await server.stop()
        return (String(decoding: body, as: UTF8.self), ends.withLock { $0 } == [true])
    }

    @Test("goes out piece by piece") func whole() async throws {
        #expect(try await Self.fetch(["one ", "", "two"], announced: 7) == ("one two", true))
        #expect(try await Self.fetch([], announced: 0) == ("", true))
    }

    @Test("is cut off where it fails, is shorter than announced, or longer, of which nothing is sent") func broken() async throws
    {
        #expect(try await Self.fetch(["one"], announced: 7, fails: true) == ("one", false))
        #expect(try await Self.fetch(["one"], announced: 7) == ("one", false))
        #expect(try await Self.fetch(["one", "three"], announced: 7) == ("one", false))
    }
}
