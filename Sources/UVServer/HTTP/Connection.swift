/// One client connection: the only shell that drives the parsers and state machines.
///
/// The task of a request starts with its first byte and ends with its response. Between requests there is no task, only this
/// object, its socket and its deadline. A request that is answered from memory has none at all.
@EventLoop final class Connection: BodySource, BytesReceiver {
    /// The most answers one connection gets in one turn of the loop.
    private static let answersATurn = 8

    let stream: TCPStream
    private let service: HTTPService
    private let closed: @EventLoop (Connection) -> Void
    private var parser: RequestHeadParser
    private let deadlines: ConnectionDeadlines
    private let sender: AnswerSender
    private var isServing = false
    private var isFinished = false
    private var hasServed = false
    private var isClosed = false
    private var isTurnedAway = false
    private var timedOut: RequestDeadlines.Phase?
    /// What was received last, if it is a head that has been asked for before.
    private var repeated: ByteKey?
    private let client: String

    /// - Parameter closed: called once, when the connection has ended and no handler runs for it any more.
    init(stream: TCPStream, service: HTTPService, closed: @escaping @EventLoop (Connection) -> Void) {
        self.stream = stream
        self.service = service
        self.closed = closed
        self.client = stream.peer.addressText
        self.parser = RequestHeadParser(limits: service.limits)
        self.deadlines = ConnectionDeadlines(limits: service.limits)
        self.sender = AnswerSender(stream, service, self.deadlines)
        stream.receiver = self
        stream.onInput = { [unowned self] in self.didReceiveInput() }
        self.deadlines.enter(.idle)
        stream.resumeReading()
    }

    /// Answers what this connection has not asked for yet, and closes it: it is one too many. It is waited for as briefly as when the
    /// server stops.
    func turnAway(_ error: HTTPError) {
        guard !self.isServing, !self.isClosed else { return }
        self.isServing = true
        self.isTurnedAway = true
        self.deadlines.enter(nil)
        EventLoop.spawn {
            await self.refuse(error, nil, nil)
            self.rest()
        }
    }

    /// The server stops: closes if the client is owed nothing, since no request has come or the last one is answered and was
    /// whole, and waits less for one that has its answer and still sends. May be repeated.
    /// - Returns: whether a request is still to be answered. One that is turned away has none.
    func stop() -> Bool {
        if !self.isServing || self.isFinished, !self.stream.hasUnreadInput { self.close() }
        guard !self.isClosed else { return false }
        self.deadlines.hurry(self.service.limits.stoppingLingerDeadline)
        return self.deadlines.phase != .linger && !self.isTurnedAway
    }

    /// Whether another request has come after one whose answer let the client send it. While the server stops, what the kernel still has
    /// counts too: it is answered now, or never.
    private var hasNextRequest: Bool { self.stream.hasBytes || self.service.isStopping && self.stream.hasUnreadInput }

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
        self.deadlines.enter(.head)
        EventLoop.spawn { await self.serve() }
    }

    // MARK: The fast path

    /// Answers what has been asked before and has not changed since: no task, no copy, and nothing that waits.
    ///
    /// - Returns: whether the bytes are a whole request whose answer is on its way.
    func didReceive(_ bytes: Span<UInt8>) -> Bool {
        self.repeated = nil
        guard !self.isServing, !self.service.isStopping else { return false }
        switch self.service.answers.find(bytes, at: LoopClock.now) {
        case .new: return false
        case .repeated(let key):
            self.repeated = key
            return false
        case .answer(let found):
            self.service.readClock()
            found.answer.setDate(self.service.date, of: self.service.second)
            self.replay(found)
            return true
        }
    }

    private func replay(_ found: RememberedAnswer) {
        do throws(UVError) {
            let sent = try self.sender.begin(found.answer)
            if found.answer.isAll(sent) {
                self.hasServed = true
                self.deadlines.enter(.idle)
                if self.service.answered != nil {
                    self.didAnswer(found.request, found.answer.status, isWhole: true, since: LoopClock.now)
                }
            } else {
                self.isServing = true
                // Until it is sent on: it may have to wait for its turn.
                self.deadlines.enter(nil)
                EventLoop.spawn { await self.serve(finishing: found, after: sent) }
            }
        } catch {
            self.close()
        }
    }

    /// Ends what has taken too long. Called about twice a second.
    func checkDeadline(at now: Duration) {
        guard let phase = self.deadlines.expired(at: now) else { return }
        if phase == .write {
            let taken = self.stream.acknowledgedBytes ?? self.sender.sentBytes
            guard !self.deadlines.continueWrite(taken: taken, at: now) else { return }
        }
        self.deadlines.enter(nil)
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
        self.deadlines.enter(nil)
        self.stream.close()
        if !self.isServing { self.closed(self) }
    }

    // MARK: Requests

    /// From the first byte of a request until nothing more has come.
    private func serve() async {
        await self.serveRequests()
        self.rest()
    }

    /// The rest of an answer from memory that the socket did not take at once, and what has come meanwhile.
    private func serve(finishing found: RememberedAnswer, after sent: Int64) async {
        let started = LoopClock.now
        let admission = self.service.admission
        if !admission.beginAnswer(isUpload: false) { await admission.waitForTurn(isUpload: false) }
        let isWhole = await self.sender.finish(found.answer, after: sent)
        admission.endAnswer(isUpload: false)
        self.didAnswer(found.request, found.answer.status, isWhole: isWhole, since: started)
        if !isWhole { self.close() } else if self.hasNextRequest { await self.serveRequests() }
        self.rest()
    }

    /// Until the next request.
    private func rest() {
        self.isServing = false
        self.hasServed = true
        guard !self.isClosed else { return self.closed(self) }
        guard !self.stream.hasInput, !self.service.isStopping else { return self.close() }
        self.stream.receiveBytes = IOBuffer.smallBytes
        self.deadlines.enter(.idle)
        self.stream.resumeReading()
    }

    private func serveRequests() async {
        var answers = 0
        repeat {
            // Small answers never wait: a client that pipelines requests must not keep the loop for itself.
            answers += 1
            if answers % Self.answersATurn == 0 { await EventLoop.nextTurn() }
            let head: RequestHead
            let key: ByteKey?
            let framing: BodyFraming
            do throws(HTTPError) {
                guard let next = try await self.readHead() else { return self.close() }
                (head, key) = next
            } catch {
                return await self.refuse(error, self.parser.requestLine?.method, self.parser.requestLine?.target)
            }
            do throws(HTTPError) { framing = try BodyFraming(head) } catch {
                return await self.refuse(error, head.method, head.target)
            }
            let keepsOpen = await self.answer(head, framing, remembering: framing == .none ? key : nil)
            guard keepsOpen else { return }
        } while self.hasNextRequest
    }

    /// The next request's head, and what its answer may be remembered under; `nil` when the client is gone or has nothing more to ask.
    private func readHead() async throws(HTTPError) -> (RequestHead, ByteKey?)? {
        self.deadlines.enter(.head)
        defer { self.deadlines.enter(nil) }
        var key = self.repeated
        self.repeated = nil
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
                // What was looked for is this head and nothing behind it.
                return (head, consumed == chunk.count ? key : nil)
            }
            // A head that comes in pieces is not what was looked for.
            key = nil
        }
    }

    /// Lets the handler answer one request, and sends what it says.
    ///
    /// - Returns: whether the connection can take another request; if not, it is closed.
    private func answer(_ head: RequestHead, _ framing: BodyFraming, remembering key: ByteKey?) async -> Bool {
        let started = LoopClock.now
        let body = RequestBody(
            from: self, framing: framing, expectsContinue: head.expectsContinue, limits: self.service.limits
        )
        self.stream.receiveBytes = body.bufferBytes
        if framing != .none { self.deadlines.beginBody(received: self.stream.receivedBytes) }
        let (admission, isUpload) = (self.service.admission, !body.isComplete)
        if !admission.beginAnswer(isUpload: isUpload) { await admission.waitForTurn(isUpload: isUpload) }
        let request = Request(head: head, body: body, client: self.client, isRepeated: key != nil)
        let response = await self.service.handler(request)
        let status = response.status
        await body.discardReceived()
        // An answer before the body's end spends the connection: what follows cannot be told from a request.
        let keeps = head.keepsAlive && body.isComplete && !self.service.isStopping && self.timedOut == nil
        let isWhole = await self.sender.send(response, to: head, method: head.method, keeps: keeps, remembering: key)
        admission.endAnswer(isUpload: isUpload)
        self.didAnswer(head, status, isWhole: isWhole, since: started)
        if keeps, isWhole { return true }
        if isWhole { await self.closeSlowly(bodyComplete: body.isComplete) } else { self.close() }
        return false
    }

    /// Answers what never became a request, as far as it was understood.
    private func refuse(_ error: HTTPError, _ method: Method?, _ target: RequestTarget?) async {
        let response = self.service.refusal(error)
        let isWhole = await self.sender.send(response, to: nil, method: method, keeps: false)
        self.didAnswer(method, target, error.status, isWhole: isWhole, since: LoopClock.now)
        if isWhole { await self.closeSlowly(bodyComplete: false) } else { self.close() }
    }

    private func didAnswer(_ head: RequestHead, _ status: Status, isWhole: Bool, since started: Duration) {
        self.didAnswer(head.method, head.target, status, isWhole: isWhole, since: started)
    }

    private func didAnswer(_ method: Method?, _ target: RequestTarget?, _ status: Status, isWhole: Bool, since started: Duration)
    {
        self.service.answered?(
            RequestRecord(
                client: self.client, method: method?.name ?? "-", path: target?.path ?? [], status: status.code,
                sentBytes: self.sender.sentBytes, isWhole: isWhole, duration: LoopClock.now - started
            ))
    }

    // MARK: Bodies, for RequestBody

    func sendContinue() async -> Bool {
        self.deadlines.enter(.write)
        defer { self.deadlines.enter(nil) }
        var bytes: [UInt8] = []
        ResponseHeadWriter.write(status: .continue, fields: Fields(), date: "", closes: false, minorVersion: 1, into: &bytes)
        do throws(UVError) { try await self.stream.write(bytes) } catch { return false }
        return true
    }

    func receiveBody() async throws(BodyError) -> ByteChunk {
        // The clock runs only while the client is awaited, not while a disk is.
        let waits = !self.stream.hasInput
        if waits { self.deadlines.enterBody(received: self.stream.receivedBytes) }
        defer { if waits { self.deadlines.enter(nil) } }
        do throws(UVError) {
            if let chunk = try await self.stream.read() { return chunk }
        } catch {
            if self.timedOut == .body { throw .timedOut }
        }
        throw .clientClosed
    }

    /// Closes so that the client can read the answer: half-close, then discard what it still sends until it closes too, for a
    /// bounded time and number of bytes. Also after a whole request: another one that is on its way would meet a closed socket,
    /// and the reset would destroy what the client has not read yet (RFC 9112 section 9.6).
    private func closeSlowly(bodyComplete: Bool) async {
        if bodyComplete, self.service.isStopping, !self.stream.hasUnreadInput { return self.close() }
        self.isFinished = bodyComplete
        self.service.leaving?(ObjectIdentifier(self), self.stream.peer.ipAddress)
        self.stream.finishWriting()
        self.stream.forgetInterruption()
        self.deadlines.enter(.linger)
        if self.service.isStopping || self.isTurnedAway { self.deadlines.hurry(self.service.limits.stoppingLingerDeadline) }
        self.stream.receiveBytes = IOBuffer.largeBytes
        var discarded: Int64 = 0
        while discarded < self.service.limits.lingerBytes {
            guard let chunk = try? await self.stream.read() else { break }
            discarded += Int64(chunk.count)
        }
        self.close()
    }
}
