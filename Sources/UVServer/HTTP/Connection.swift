/// One client connection: the only shell that drives the parsers and state machines.
///
/// The task of a request starts with its first byte and ends with its response. Between requests there is no task, only this
/// object, its socket and its deadline.
@EventLoop final class Connection: BodySource {
    /// The most answers one connection gets in one turn of the loop.
    private static let answersATurn = 8

    let stream: TCPStream
    private let service: HTTPService
    private let closed: @EventLoop (Connection) -> Void
    private var parser: RequestHeadParser
    private var deadlines: RequestDeadlines
    private var isServing = false
    private var isFinished = false
    private var hasServed = false
    private var isClosed = false
    private var timedOut: RequestDeadlines.Phase?
    /// Body bytes of the current answer that have gone out.
    private var sentBytes: Int64 = 0
    private let client: String

    /// - Parameter closed: called once, when the connection has ended and no handler runs for it any more.
    init(stream: TCPStream, service: HTTPService, closed: @escaping @EventLoop (Connection) -> Void) {
        self.stream = stream
        self.service = service
        self.closed = closed
        self.client = stream.peer?.host ?? "-"
        self.parser = RequestHeadParser(limits: service.limits)
        self.deadlines = RequestDeadlines(limits: service.limits)
        stream.onInput = { [unowned self] in self.didReceiveInput() }
        self.deadlines.enter(.idle, at: LoopClock.now)
        stream.resumeReading()
    }

    /// The server stops: closes if the client is owed nothing, since no request has begun or the last one is answered and was
    /// whole, and waits less for one that has its answer and still sends.
    /// - Returns: whether a request is still to be answered.
    func stop() -> Bool {
        if !self.isServing || self.isFinished { self.close() }
        guard !self.isClosed else { return false }
        self.deadlines.hurry(self.service.limits.stoppingLingerDeadline, at: LoopClock.now)
        return self.deadlines.phase != .linger
    }

    /// Since when it has been waiting for a request. `nil` while it has one, and while it is so new that the first may be on its way.
    func idleSince(at now: Duration) -> Duration? {
        guard !self.isServing, !self.isClosed, let deadline = self.deadlines.deadline else { return nil }
        let since = deadline - self.service.limits.keepAliveDeadline
        return self.hasServed || now - since >= self.service.limits.silence ? since : nil
    }

    private func didReceiveInput() {
        guard !self.isServing else { return }
        guard self.stream.hasBytes else { return self.close() }
        self.isServing = true
        self.deadlines.enter(.head, at: LoopClock.now)
        EventLoop.spawn { await self.serve() }
    }

    /// Ends what has taken too long. Called about twice a second.
    func checkDeadline(at now: Duration) {
        guard let phase = self.deadlines.expired(at: now) else { return }
        self.deadlines.enter(nil, at: now)
        switch phase {
        case .idle, .write, .linger: self.close()
        // Blank lines alone are no request, and nobody waits for an answer to them.
        case .head where !self.parser.hasStarted: self.close()
        case .head, .body:
            self.timedOut = phase
            self.stream.interruptReading()
        }
    }

    /// Ends the connection; a handler that runs for it is left to find out. Idempotent.
    func close() {
        guard !self.isClosed else { return }
        self.isClosed = true
        self.deadlines.enter(nil, at: LoopClock.now)
        self.stream.close()
        if !self.isServing { self.closed(self) }
    }

    // MARK: Requests

    /// From the first byte of a request until nothing more has come.
    private func serve() async {
        await self.serveRequests()
        self.isServing = false
        self.hasServed = true
        guard !self.isClosed else { return self.closed(self) }
        guard !self.stream.hasInput, !self.service.isStopping else { return self.close() }
        self.stream.receiveBytes = IOBuffer.smallBytes
        self.deadlines.enter(.idle, at: LoopClock.now)
        self.stream.resumeReading()
    }

    private func serveRequests() async {
        var answers = 0
        repeat {
            // Answers from memory never wait: a client that pipelines them must not keep the loop for itself.
            answers += 1
            if answers % Self.answersATurn == 0 { await EventLoop.nextTurn() }
            let head: RequestHead
            let framing: BodyFraming
            do throws(HTTPError) {
                guard let next = try await self.readHead() else { return self.close() }
                head = next
            } catch {
                return await self.refuse(error, self.parser.requestLine?.method, self.parser.requestLine?.target)
            }
            do throws(HTTPError) { framing = try BodyFraming(head) } catch {
                return await self.refuse(error, head.method, head.target)
            }
            let keepsOpen = await self.answer(head, framing)
            guard keepsOpen else { return }
        } while self.stream.hasBytes && !self.service.isStopping
    }

    /// The next request's head; `nil` when the client is gone or has nothing more to ask.
    private func readHead() async throws(HTTPError) -> RequestHead? {
        self.deadlines.enter(.head, at: LoopClock.now)
        defer { self.deadlines.enter(nil, at: LoopClock.now) }
        while true {
            let chunk: ByteChunk
            do throws(UVError) {
                guard let next = try await self.stream.read() else { return nil }
                chunk = next
            } catch {
                if self.timedOut == .head { throw .headTimedOut }
                return nil
            }
            let progress = try chunk.withSpan { (bytes: Span<UInt8>) throws(HTTPError) in try self.parser.parse(bytes) }
            if case .complete(let head, let consumed) = progress {
                self.stream.unread(chunk.slice(consumed..<chunk.count))
                return head
            }
        }
    }

    /// Lets the handler answer one request, and sends what it says.
    ///
    /// - Returns: whether the connection can take another request; if not, it is closed.
    private func answer(_ head: RequestHead, _ framing: BodyFraming) async -> Bool {
        let started = LoopClock.now
        let body = RequestBody(
            from: self, framing: framing, expectsContinue: head.expectsContinue, limits: self.service.limits
        )
        self.stream.receiveBytes = body.isComplete ? IOBuffer.smallBytes : IOBuffer.largeBytes
        if !self.service.admission.beginAnswer() { await self.service.admission.waitForTurn() }
        let response = await self.service.handler(Request(head: head, body: body, client: self.client))
        let status = response.status
        await body.discardReceived()
        // An answer before the body's end spends the connection: what follows cannot be told from a request.
        let keeps = head.keepsAlive && body.isComplete && !self.service.isStopping && self.timedOut == nil
        let isWhole = await self.send(response, to: head, keeps: keeps)
        self.service.admission.endAnswer()
        self.service.answered(
            RequestRecord(
                client: self.client, method: head.method.name, path: head.target.path, status: status.code,
                sentBytes: self.sentBytes, isWhole: isWhole, duration: LoopClock.now - started
            ))
        if keeps, isWhole { return true }
        if isWhole { await self.closeSlowly(bodyComplete: body.isComplete) } else { self.close() }
        return false
    }

    /// Answers what never became a request, as far as it was understood.
    private func refuse(_ error: HTTPError, _ method: Method?, _ target: RequestTarget?) async {
        let response = self.service.refusal(error)
        let isWhole = await self.send(response, to: nil, keeps: false)
        self.service.answered(
            RequestRecord(
                client: self.client, method: method?.name ?? "-", path: target?.path ?? [], status: error.status.code,
                sentBytes: self.sentBytes, isWhole: isWhole, duration: .zero
            ))
        if isWhole { await self.closeSlowly(bodyComplete: false) } else { self.close() }
    }

    // MARK: Bodies, for RequestBody

    func sendContinue() async -> Bool {
        self.deadlines.enter(.write, at: LoopClock.now)
        defer { self.deadlines.enter(nil, at: LoopClock.now) }
        var bytes: [UInt8] = []
        ResponseHeadWriter.write(status: .continue, fields: Fields(), date: "", closes: false, minorVersion: 1, into: &bytes)
        do throws(UVError) { try await self.stream.write(bytes) } catch { return false }
        return true
    }

    func receiveBody() async throws(BodyError) -> ByteChunk {
        // The deadline runs only while the client is awaited, not while a disk is.
        if !self.stream.hasInput { self.deadlines.enter(.body, at: LoopClock.now) }
        defer { self.deadlines.enter(nil, at: LoopClock.now) }
        do throws(UVError) {
            if let chunk = try await self.stream.read() { return chunk }
        } catch {
            if self.timedOut == .body { throw .timedOut }
        }
        throw .clientClosed
    }

    // MARK: Sending

    /// - Returns: whether the answer went out whole.
    private func send(_ response: consuming Response, to request: RequestHead?, keeps: Bool) async -> Bool {
        let kept = response.keeps
        defer { withExtendedLifetime(kept) {} }
        let isHead = request?.method == .head
        let hasNoBody = response.status.forbidsBody
        if !hasNoBody, let length = response.body.length { response.fields[.contentLength] = String(length) }
        var bytes: [UInt8] = []
        ResponseHeadWriter.write(
            status: response.status, fields: response.fields, date: self.service.date(), closes: !keeps,
            minorVersion: request?.minorVersion ?? 1, into: &bytes
        )
        self.sentBytes = 0
        self.deadlines.enter(.write, at: LoopClock.now)
        defer { self.deadlines.enter(nil, at: LoopClock.now) }
        do throws(UVError) {
            if isHead || hasNoBody {
                try await self.stream.write(bytes)
                return true
            }
            switch consume response.body {
            case .omitted: preconditionFailure("only the answer to a HEAD leaves its body out")
            case .none: try await self.stream.write(bytes)
            case .bytes(let body): try await self.send(body, after: bytes)
            case .file(let file, let pieces):
                if let count = Self.append(pieces, of: file, to: &bytes) {
                    try await self.stream.write(bytes)
                    self.didSend(count)
                    return true
                }
                try await self.stream.write(bytes)
                return try await self.send(pieces, of: file)
            }
            return true
        } catch {
            return false
        }
    }

    /// Sends head and body in pieces, so that a slow client's progress is seen.
    private func send(_ body: [UInt8], after head: [UInt8]) async throws(UVError) {
        let first = min(body.count, IOBuffer.largeBytes)
        try await self.stream.write(head + body[..<first])
        self.didSend(Int64(first))
        var start = first
        while start < body.count {
            let end = min(start + IOBuffer.largeBytes, body.count)
            try await self.stream.write(Array(body[start..<end]))
            self.didSend(Int64(end - start))
            start = end
        }
    }

    /// Appends a small body to its head, so that both go out in one write; `nil`, and nothing appended, when it is large, or would have
    /// to be waited for.
    private static func append(_ pieces: [ResponseBody.Piece], of file: borrowing OwnedFile, to bytes: inout [UInt8]) -> Int64? {
        let start = bytes.count
        for piece in pieces {
            var isAppended = false
            switch piece {
            case .bytes(let more):
                isAppended = bytes.count - start + more.count <= IOBuffer.smallBytes
                if isAppended { bytes += more }
            case .slice(let slice):
                isAppended =
                    Int64(bytes.count - start) + slice.length <= IOBuffer.smallBytes
                    && file.appendCached(offset: slice.offset, length: Int(slice.length), to: &bytes)
            }
            guard isAppended else {
                bytes.removeLast(bytes.count - start)
                return nil
            }
        }
        return Int64(bytes.count - start)
    }

    private func send(_ pieces: [ResponseBody.Piece], of file: borrowing OwnedFile) async throws(UVError) -> Bool {
        for piece in pieces {
            switch piece {
            case .bytes(let bytes):
                try await self.stream.write(bytes)
                self.didSend(Int64(bytes.count))
            case .slice(let slice):
                let count = try await self.stream.sendFile(file.descriptor, offset: slice.offset, length: slice.length) {
                    self.didSend($0)
                }
                // The file shrank: the promised length cannot be met, and padding it would be a lie.
                guard count == slice.length else { return false }
            }
        }
        return true
    }

    private func didSend(_ count: Int64) {
        self.sentBytes += count
        self.deadlines.progressed(at: LoopClock.now)
    }

    /// Closes so that the client can read the answer: half-close, then discard what it still sends until it closes too, for a
    /// bounded time and number of bytes. Also after a whole request: another one that is on its way would meet a closed socket,
    /// and the reset would destroy what the client has not read yet (RFC 9112 section 9.6).
    private func closeSlowly(bodyComplete: Bool) async {
        if bodyComplete, !self.stream.hasBytes, self.service.isStopping { return self.close() }
        self.isFinished = bodyComplete
        self.stream.finishWriting()
        self.deadlines.enter(.linger, at: LoopClock.now)
        if self.service.isStopping { self.deadlines.hurry(self.service.limits.stoppingLingerDeadline, at: LoopClock.now) }
        self.stream.receiveBytes = IOBuffer.largeBytes
        var discarded: Int64 = 0
        while discarded < self.service.limits.lingerBytes {
            guard let chunk = try? await self.stream.read() else { break }
            discarded += Int64(chunk.count)
        }
        self.close()
    }
}
