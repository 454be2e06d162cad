/// An HTTP/1.1 server: listeners, connections, their number and their deadlines.
@EventLoop public final class HTTPServer {
    private let service: HTTPService
    private var listeners: [TCPListener] = []
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var idle = IdleOrder<ObjectIdentifier>()
    /// `nil`: each address may have as many connections as there can be.
    private var addresses: AddressLimit<SocketAddress.IPAddress, ObjectIdentifier>?
    /// Nobody was idle at the last look, and it is not time for another.
    private var isNobodyIdle = false
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
        if let limit = limits.connectionsPerAddress {
            self.addresses = AddressLimit(limit: limit)
            self.service.leaving = { [weak self] connection, address in self?.addresses?.leave(connection, of: address) }
        }
        self.service.admission.evict = { [weak self] in self?.closeIdlest() ?? false }
        self.service.admission.fullChanged = { [weak self] isFull in self?.setPaused(isFull) }
    }

    /// Begins to listen at one more address.
    ///
    /// - Returns: the address with the port that was bound.
    /// - Throws: `UVError` when the address cannot be bound.
    public func listen(at address: SocketAddress) throws(UVError) -> SocketAddress {
        let socket = try ListeningSocket(address)
        try self.listen(on: socket)
        return self.listeners.last?.address ?? address
    }

    /// Begins to take clients from one more socket, which it takes over.
    public func listen(on socket: ListeningSocket) throws(UVError) {
        let listener = try TCPListener(socket) { [weak self] stream in self?.didAccept(stream) }
        listener.held = { [weak self] in self?.service.admission.makeRoomForConnection() }
        self.listeners.append(listener)
    }

    private func didAccept(_ stream: TCPStream) {
        // Nothing that it asks for later would be answered.
        guard !self.service.isStopping || stream.hasUnreadInput else { return stream.close() }
        // A connection that is open keeps its server.
        let connection = Connection(stream: stream, service: self.service) { self.didClose($0) }
        self.connections[ObjectIdentifier(connection)] = connection
        if self.sweep == nil { self.sweep = LoopTimer(every: .milliseconds(500)) { [weak self] in self?.checkDeadlines() } }
        self.service.admission.didOpen()
        self.limit(connection)
    }

    /// Turns `connection` away when its address has too many; those of them that are idle make room.
    private func limit(_ connection: Connection) {
        guard self.addresses != nil else { return }
        let (id, address) = (ObjectIdentifier(connection), connection.stream.peer.ipAddress)
        if self.addresses?.hasRoom(for: address) == false { self.closeIdlest(of: address) }
        switch self.addresses?.add(id, of: address) {
        case .served, nil: break
        case .turnedAway: connection.turnAway(.tooManyConnections)
        case .closed: connection.close()
        }
    }

    private func closeIdlest(of address: SocketAddress.IPAddress) {
        let now = LoopClock.now
        var longest: (connection: Connection, since: Duration)?
        for id in self.addresses?.served(of: address) ?? [] {
            guard let connection = self.connections[id], let since = connection.idleSince(at: now),
                !connection.stream.hasUnreadInput
            else { continue }
            if longest.map({ since < $0.since }) ?? true { longest = (connection, since) }
        }
        longest?.connection.close()
    }

    private func didClose(_ connection: Connection) {
        guard self.connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        self.addresses?.remove(ObjectIdentifier(connection), of: connection.stream.peer.ipAddress)
        self.service.admission.didClose()
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
        self.isNobodyIdle = false
        self.service.admission.retry(heldConnection: self.listeners.contains(where: \.hasPending))
    }

    /// Leaves new connections in the kernel's queue, or takes them again.
    private func setPaused(_ isPaused: Bool) {
        if isPaused {
            for listener in self.listeners { listener.pause() }
        } else {
            // Each that goes on may fill the place that was free.
            for listener in self.listeners where !self.service.admission.isFull { listener.resume() }
        }
    }

    /// Closes the connection that has been idle longest.
    /// - Returns: `false` when none is idle.
    private func closeIdlest() -> Bool {
        guard !self.isNobodyIdle else { return false }
        let now = LoopClock.now
        for isFresh in [false, true] {
            if isFresh {
                self.idle.fill(self.connections.compactMap { id, connection in connection.idleSince(at: now).map { (id, $0) } })
            }
            while let (id, since) = self.idle.popLongest() {
                // It may have been used since they were looked up, and a request may have arrived that nobody has read yet.
                guard let connection = self.connections[id], connection.idleSince(at: now) == since,
                    !connection.stream.hasUnreadInput
                else { continue }
                connection.close()
                return true
            }
        }
        // A look at all of them for each that wants in would be dear.
        self.isNobodyIdle = true
        return false
    }

    /// Stops listening, closes idle connections, and returns when the running requests have been answered and their handlers have
    /// ended; those that take longer than `grace` are cut off. What has arrived by now is running, read or not, also in the queues of
    /// the listeners, as far as there is room for it (docs/decisions/0005).
    /// - Parameter waiting: called with the number of running requests if there are any.
    public func stop(grace: Duration = .seconds(30), waiting: @EventLoop (Int) -> Void = { _ in }) async {
        self.service.isStopping = true
        // Who waits in a queue that outlives this server is not accepted, and so not closed either.
        for listener in self.listeners where listener.queueSurvives { listener.close() }
        // Those that are closed make room for those that wait.
        for connection in Array(self.connections.values) { _ = connection.stop() }
        for listener in self.listeners {
            listener.drain()
            listener.close()
        }
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
