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

    /// Has always more, each piece after `pause`, and tells when it is let go of.
    @EventLoop private final class Endless: MadeBody {
        private let pause: Duration
        private let gone: PosixMutex<Bool>

        init(_ gone: PosixMutex<Bool>, pause: Duration) {
            self.gone = gone
            self.pause = pause
        }

        deinit { self.gone.withLock { $0 = true } }

        func next() async throws(UVError) -> MadePiece? {
            if self.pause > .zero { await EventLoop.sleep(for: self.pause) } else { await EventLoop.nextTurn() }
            return .chunk(.copying([UInt8](repeating: 0x61, count: 100_000)))
        }
    }

    private static func startEndless(_ gone: PosixMutex<Bool>, _ limits: RequestLimits, pause: Duration = .zero) async throws
        -> (HTTPServer, RawClient)
    {
        let server = await HTTPServer(
            limits: limits, handler: { _ in Response(.ok, body: .made(Endless(gone, pause: pause), length: 1 << 40)) },
            refusal: { Response($0.status) }, answered: nil)
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { preconditionFailure("a literal") }
        let client = try RawClient(port: try await server.listen(at: address).port, receiveBuffer: 4096)
        try client.send(HTTPRequest.bytes("GET", "/"))
        #expect(try client.readReplyHead().status == 200)
        return (server, client)
    }

    @Test("is let go of when its client has left, or takes too little of it", arguments: [true, false])
    func letGo(leaves: Bool) async throws {
        let gone = PosixMutex(false)
        var limits = RequestLimits()
        if !leaves { (limits.writeGrace, limits.bytesPerSecond) = (.milliseconds(600), 1 << 40) }
        let (server, client) = try await Self.startEndless(gone, limits)
        try client.skip(200_000)
        #expect(!gone.withLock { $0 })
        if leaves { client.reset() }
        #expect(eventually { gone.withLock { $0 } })
        client.close()
        await server.stop()
    }

    @Test("may take as long as it needs to be made: only the client is to be quick") func slowMaker() async throws {
        let gone = PosixMutex(false)
        var limits = RequestLimits()
        (limits.writeGrace, limits.bytesPerSecond) = (.milliseconds(300), 1000)
        let (server, client) = try await Self.startEndless(gone, limits, pause: .milliseconds(900))
        try client.skip(300_000)
        client.reset()
        #expect(eventually { gone.withLock { $0 } })
        await server.stop()
    }

    @Test("need not be begun for a client that has left: a handler can tell") func abandoned() async throws {
        let milestone = Milestone()
        let server = await HTTPServer(
            limits: RequestLimits(),
            handler: { request in
                milestone.reach()
                while !request.isAbandoned { await EventLoop.nextTurn() }
                milestone.reach()
                return Response(.ok)
            }, refusal: { Response($0.status) }, answered: nil)
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { preconditionFailure("a literal") }
        let client = try RawClient(port: try await server.listen(at: address).port)
        try client.send(HTTPRequest.bytes("GET", "/"))
        await milestone.reached()
        #expect(await milestone.count == 1)
        client.reset()
        await milestone.reached(2)
        await server.stop()
    }
}
