import UVServer

/// One client of a load: makes its requests one after the other, over a connection that it keeps or makes anew.
@EventLoop final class Session {
    /// After a failure a client waits this long, so that a server that refuses everything is not asked a million times.
    private static let pause: Duration = .milliseconds(50)

    let run: Run
    let load: Load
    /// From 0 within its load.
    let number: Int
    private var connection: ClientConnection?
    private var throttle: Throttle?
    var spec: LoadSpec { self.load.spec }

    init(_ run: Run, _ load: Load, number: Int) {
        self.run = run
        self.load = load
        self.number = number
        self.throttle = load.spec.rate.flatMap { $0 > 0 ? Throttle(rate: $0, from: .now) : nil }
    }

    func run() async {
        switch self.spec.kind {
        case .idle: await IdleClient(session: self).run()
        case .slowRead where self.spec.rate == 0: await IdleClient(session: self).run()
        case .get, .range, .slowRead:
            var client = DownloadClient(session: self)
            await self.repeatRequests { turn throws(LoadFailure) in try await client.request(turn) }
        case .put, .form, .slowWrite:
            var client = UploadClient(session: self)
            await self.repeatRequests { turn throws(LoadFailure) in try await client.request(turn) }
        }
        self.drop()
    }

    /// - Parameter request: returns when the request ended that the latency is about.
    private func repeatRequests(_ request: @EventLoop (Load.Turn) async throws(LoadFailure) -> ContinuousClock.Instant) async {
        while let turn = await self.load.nextTurn(self.run) {
            do throws(LoadFailure) {
                let end = try await request(turn)
                self.load.tally.succeed(after: end - turn.begin)
                if !self.spec.keepsAlive { self.drop() }
            } catch {
                await self.didFail(error)
            }
        }
    }

    /// Counts a failure, unless it is the end of the run that broke the request off.
    func didFail(_ failure: LoadFailure) async {
        self.drop()
        guard !self.run.isOver else { return }
        self.load.tally.fail(failure)
        await self.run.sleep(until: .now + Self.pause)
    }

    // MARK: One exchange

    /// The connection for the next request.
    func connect() async throws(LoadFailure) -> ClientConnection {
        // One that has input is being closed by the server, or was answered twice.
        if let connection = self.connection, connection.isOpen, !connection.hasInput { return connection }
        self.drop()
        let made = try await self.run.connect(self.spec)
        self.load.tally.connections += 1
        self.connection = made
        return made
    }

    private func drop() {
        if let connection = self.connection.take() { self.run.drop(connection) }
    }

    /// The head of a request. `fields` are lines.
    func head(_ method: String, _ path: String, _ fields: [String] = []) -> [UInt8] {
        let connection = self.spec.keepsAlive ? [] : ["Connection: close"]
        let lines = ["\(method) \(path) HTTP/1.1", "Host: \(self.run.target.authority)"] + self.run.options.fields
        return Array((lines + fields + connection + ["", ""]).joined(separator: "\r\n").utf8)
    }

    /// Counts bytes of content that have moved, and waits as the rate says.
    func moved(_ count: Int) async {
        self.load.tally.bytes += Int64(count)
        guard let due = self.throttle?.moved(count, at: .now) else { return }
        await self.run.sleep(until: due)
    }

    /// Receives an answer whose content nobody wants.
    func receive(on connection: ClientConnection, to method: String, accept: Range<Int>) async throws(LoadFailure) {
        let head = try await connection.receiveHead()
        let framing = AnswerFraming(head, to: method)
        guard accept.contains(head.status) else { throw .status(head.status) }
        _ = try await connection.receiveBody(framing, moved: { _ in }, take: { _, _ in })
        self.didReceive(head, framing)
    }

    /// Receives the rest of an answer and compares it.
    /// - Parameters:
    ///   - expected: the length of its content; `nil` is any.
    ///   - content: what it should be, from `offset` on; `nil` is anything.
    ///   - moved: as of `ClientConnection.receiveBody`.
    func receive(
        _ head: ResponseHead, on connection: ClientConnection, expected: Int64?, _ content: Content?, from offset: Int64,
        moved: @EventLoop (Int) async -> Void
    ) async throws(LoadFailure) {
        if let expected, let length = head.contentLength, length != expected { throw .wrongLength(length, expected: expected) }
        let framing = AnswerFraming(head, to: "GET")
        let received = try await connection.receiveBody(framing, moved: moved) { bytes, place throws(LoadFailure) in
            guard let index = content?.firstDifference(in: bytes, at: offset + place) else { return }
            throw .wrongBytes(offset: offset + place + Int64(index))
        }
        if let expected, received != expected { throw .wrongLength(received, expected: expected) }
        self.didReceive(head, framing)
    }

    /// An answer has ended: lets go of a connection that takes no further request.
    func didReceive(_ head: ResponseHead, _ framing: AnswerFraming) {
        if !head.keepsAlive || !framing.endsByItself { self.drop() }
    }

    func content(_ name: String) -> Content { Content(seed: self.run.options.seed, name: name) }
}
