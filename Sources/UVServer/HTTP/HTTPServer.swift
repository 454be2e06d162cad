/// An HTTP/1.1 server: listeners, connections, their number and their deadlines.
@EventLoop public final class HTTPServer {
    private let service: HTTPService
    private var listeners: [TCPListener] = []
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var sweep: LoopTimer?
    private var stopped: [CheckedContinuation<Void, Never>] = []
    /// Runs after `abort`.
    private var patience: LoopTimer?

    /// - Parameter answered: told of every answer; `nil` where nobody wants to know.
    public init(
        limits: RequestLimits, handler: @escaping Request.Handler, refusal: @escaping @Sendable (HTTPError) -> Response,
        answered: (@EventLoop (RequestRecord) -> Void)?
    ) {
        self.service = HTTPService(handler: handler, limits: limits, refusal: refusal, answered: answered)
    }

    /// Begins to listen at one more address.
    ///
    /// - Returns: the address with the port that was bound.
    /// - Throws: `UVError` when the address cannot be bound.
    public func listen(at address: SocketAddress) throws(UVError) -> SocketAddress {
        let listener = try TCPListener(address) { [weak self] stream in self?.didAccept(stream) }
        self.listeners.append(listener)
        return listener.address
    }

    private func didAccept(_ stream: TCPStream) {
        // Reset before it was accepted: nobody is there for an answer.
        guard stream.peer != nil else { return stream.close() }
        // A connection that is open keeps its server.
        let connection = Connection(stream: stream, service: self.service) { self.didClose($0) }
        self.connections[ObjectIdentifier(connection)] = connection
        if self.sweep == nil { self.sweep = LoopTimer(every: .milliseconds(500)) { [weak self] in self?.checkDeadlines() } }
        if self.connections.count >= self.service.limits.connections { for listener in self.listeners { listener.pause() } }
    }

    private func didClose(_ connection: Connection) {
        guard self.connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        // Each resumed listener may fill the place that was free.
        for listener in self.listeners where self.connections.count < self.service.limits.connections { listener.resume() }
        guard self.connections.isEmpty else { return }
        self.sweep?.stop()
        self.sweep = nil
        self.service.answers.forgetAll()
        self.endStopping()
    }

    private func endStopping() {
        self.patience?.stop()
        self.patience = nil
        for waiter in self.stopped { waiter.resume() }
        self.stopped = []
    }

    /// One timer for all connections: setting a deadline is a plain store, and none is late by more than half a second.
    private func checkDeadlines() {
        let now = LoopClock.now
        for connection in Array(self.connections.values) { connection.checkDeadline(at: now) }
        self.service.answers.sweep(at: now)
    }

    /// Stops listening, closes idle connections, and returns when the running requests have been answered and their handlers have
    /// ended; those that take longer than `grace` are cut off.
    /// - Parameter waiting: called with the number of running requests if there are any.
    public func stop(grace: Duration = .seconds(30), waiting: @EventLoop (Int) -> Void = { _ in }) async {
        self.service.isStopping = true
        for listener in self.listeners { listener.close() }
        self.listeners = []
        let running = Array(self.connections.values).count { $0.stop() }
        if running > 0 { waiting(running) }
        guard !self.connections.isEmpty else { return }
        let limit = LoopTimer(every: grace) { [weak self] in self?.abort() }
        await withCheckedContinuation { waiter in
            // Looked at again in here: a task from outside may be suspended on its way in (docs/decisions/0001).
            if self.connections.isEmpty { waiter.resume() } else { self.stopped.append(waiter) }
        }
        limit.stop()
    }

    /// Closes what ``stop()`` still waits for. Handlers are given two seconds to find out; those that a stuck disk holds longer are
    /// not waited for.
    public func abort() {
        for connection in Array(self.connections.values) { connection.close() }
        guard !self.connections.isEmpty, self.patience == nil else { return }
        self.patience = LoopTimer(every: .seconds(2)) { self.endStopping() }
    }
}
