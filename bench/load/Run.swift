import UVServer

/// All loads of one command, from the first connection to the last.
@EventLoop final class Run {
    /// Connections that are being made at once; more would only fill the server's queue and then wait for a second.
    private static let connectingAtOnce = 128

    let options: Options
    let target: Target
    let loads: [Load]
    private(set) var isOver = false
    private let begin = ContinuousClock.now
    private(set) var seconds = 0.0
    private var connections: [ObjectIdentifier: ClientConnection] = [:]
    private var connecting = 0
    private var waiting = RingQueue<CheckedContinuation<Void, Never>>()
    private var finished: CheckedContinuation<Void, Never>?

    init(_ options: Options, _ target: Target) {
        self.options = options
        self.target = target
        self.loads = options.loads.enumerated().map { Load($1, number: $0) }
    }

    /// Runs all loads, and returns when all their clients have ended.
    func run() async {
        // Loads without a count go on until the others are done, or the time is over.
        var (all, counted): ([Task<Void, Never>], [Task<Void, Never>]) = ([], [])
        for load in self.loads {
            for number in 0..<load.spec.clients {
                let session = Session(self, load, number: number)
                let task = EventLoop.spawn { await session.run() }
                all.append(task)
                if load.spec.count != nil { counted.append(task) }
            }
        }
        let watch = EventLoop.spawn { await self.watch() }
        if !counted.isEmpty {
            EventLoop.spawn {
                for task in counted { await task.value }
                self.end()
            }
        }
        for task in all + [watch] { await task.value }
    }

    /// Looks at the clock and for connections that are silent for too long.
    private func watch() async {
        let period: Duration = .milliseconds(50)
        while !self.isOver {
            let now = ContinuousClock.now
            let left = self.options.duration.map { $0 - (now - self.begin) } ?? period
            guard left > .zero else { break }
            for connection in Array(self.connections.values) { connection.check(self.options.timeout, at: now) }
            await EventLoop.sleep(for: min(left, period))
        }
        self.end()
    }

    /// The time is over: what is under way is left, and does not count as failed. Idempotent.
    func end() {
        guard !self.isOver else { return }
        self.seconds = (ContinuousClock.now - self.begin).inSeconds
        self.isOver = true
        for connection in Array(self.connections.values) { connection.close() }
        self.connections = [:]
        while let waiter = self.waiting.popFirst() { waiter.resume() }
    }

    /// Sleeps until `due`, or until the run is over.
    func sleep(until due: ContinuousClock.Instant) async {
        while !self.isOver {
            let left = due - .now
            guard left > .zero else { return }
            await EventLoop.sleep(for: min(left, .milliseconds(100)))
        }
    }

    // MARK: Connections

    func connect(_ spec: LoadSpec) async throws(LoadFailure) -> ClientConnection {
        if self.connecting >= Self.connectingAtOnce {
            await withCheckedContinuation { waiter in
                if self.isOver { waiter.resume() } else { self.waiting.append(waiter) }
            }
        }
        guard !self.isOver else { throw .closed }
        self.connecting += 1
        defer {
            self.connecting -= 1
            self.waiting.popFirst()?.resume()
        }
        let buffer = spec.buffer.map { CInt(clamping: $0) }
        let stream: TCPStream
        do throws(UVError) {
            stream = try await TCPStream.connect(to: self.target.address, receiveBuffer: buffer, within: self.options.timeout)
        } catch {
            throw .connecting(error)
        }
        let isLarge = spec.kind != .slowRead && spec.size ?? .max >= 256 << 10
        let receiveBytes = isLarge ? 256 << 10 : 16 << 10
        let connection = ClientConnection(stream, receiveBytes: receiveBytes, isStalled: spec.rate == 0)
        self.connections[ObjectIdentifier(connection)] = connection
        if self.isOver { self.drop(connection) }
        return connection
    }

    func drop(_ connection: ClientConnection) {
        self.connections[ObjectIdentifier(connection)] = nil
        connection.close()
    }
}
