internal import CUV
internal import Glibc

/// Accepts the connections of a listening TCP socket.
///
/// At the connection cap it is paused, and clients wait in the kernel's queue instead of being dropped; so they do when the process has no
/// descriptor left, until there is one. (libuv's own listener would close them all without a word.)
@EventLoop @safe public final class TCPListener {
    /// The most that one turn of the loop accepts.
    private static let acceptsATurn = 64
    /// How long it waits after a failure, such as of descriptors, before it tries again.
    private static let pauseAfterFailure = Duration.milliseconds(100)

    private let handle: UnsafeMutablePointer<uv_poll_t>
    private let descriptor: CInt
    private let accepted: @EventLoop (TCPStream) -> Void
    private var isOpen = true
    private var isPaused = false
    /// Whether a connection is held back.
    private(set) var hasPending = false
    private var patience: LoopTimer?

    /// Called when a connection comes while it is paused.
    public var held: (@EventLoop () -> Void)?

    /// The address that was bound, with the port that the kernel chose for port 0.
    public let address: SocketAddress
    /// As of its socket.
    public let queueSurvives: Bool

    /// Binds and listens, as `ListeningSocket` does.
    ///
    /// - Throws: `UVError`: the address is taken, not of this machine, or not permitted.
    public convenience init(_ address: SocketAddress, accepted: @escaping @EventLoop (TCPStream) -> Void) throws(UVError) {
        try self.init(try ListeningSocket(address), accepted: accepted)
    }

    /// Accepts from `socket`, which it takes over.
    public init(_ socket: ListeningSocket, accepted: @escaping @EventLoop (TCPStream) -> Void) throws(UVError) {
        self.accepted = accepted
        self.address = socket.address
        self.queueSurvives = socket.queueSurvives
        // Heads and bodies are written whole, so waiting for more to send only adds delay. Accepted sockets inherit it.
        try SocketOption.set(TCP_NODELAY, of: socket.descriptor, level: CInt(IPPROTO_TCP))
        unsafe self.handle = .allocate(capacity: 1)
        // It makes the socket non-blocking, if it is not.
        let code = unsafe uv_poll_init(EventLoop.shared.executor.loop, self.handle, socket.descriptor)
        guard code == 0 else {
            unsafe self.handle.deallocate()
            throw UVError(code: code, call: "uv_poll_init")
        }
        self.descriptor = socket.release()
        unsafe self.handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
        self.watch()
    }

    private func watch() {
        // Fails only for a handle that is closing.
        _ = unsafe uv_poll_start(self.handle, CInt(UV_READABLE.rawValue)) { poll, status, _ in
            let listener = unsafe Unmanaged<TCPListener>.fromOpaque(poll!.pointee.data).takeUnretainedValue()
            // After a failure libuv has stopped watching.
            EventLoop.assumeIsolated { status < 0 ? listener.waitAWhile() : listener.didConnect() }
        }
    }

    private func rest() { _ = unsafe uv_poll_stop(self.handle) }

    private func didConnect() {
        for count in 0..<Self.acceptsATurn {
            guard self.isOpen else { return }
            guard !self.isPaused else {
                // After others were accepted nobody knows whether one more is there; the next turn tells.
                return count == 0 ? self.hold() : ()
            }
            switch self.acceptNext() {
            case .somebody: continue
            case .nobody: return
            case .failure: return self.waitAWhile()
            }
        }
    }

    private enum Outcome {
        /// Also one who has gone already.
        case somebody
        case nobody
        /// No descriptor or no memory is left, or nothing will ever come again: either way not now.
        case failure
    }

    private func acceptNext() -> Outcome {
        var storage = sockaddr_storage()
        let socket = unsafe shim_accept(self.descriptor, &storage)
        guard socket < 0 else {
            // Without room for another handle: as if it had never come.
            if let stream = try? TCPStream(owning: OwnedFile(owning: socket), peer: SocketAddress(storage)) {
                self.accepted(stream)
            }
            return .somebody
        }
        switch errno {
        case EAGAIN: return .nobody
        // Gone before it was accepted, or refused by a rule (accept(2), "Error handling").
        case ECONNABORTED, EINTR, EPERM, EPROTO, ENOPROTOOPT, EOPNOTSUPP, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENONET:
            return .somebody
        default: return .failure
        }
    }

    /// Accepts who waits in the kernel's queue, until it is paused: closing the last descriptor of a socket resets them. To be followed by
    /// ``close()``.
    public func drain() {
        // Whoever comes meanwhile is one more; the queue cannot have held more than this when it began.
        for _ in 0...ListeningSocket.backlog {
            guard self.isOpen, !self.isPaused, self.acceptNext() == .somebody else { return }
        }
    }

    /// A connection may wait in the kernel's queue, or come later; whoever resumes will see.
    private func hold() {
        guard !self.hasPending else { return }
        self.hasPending = true
        self.rest()
        self.held?()
    }

    private func waitAWhile() {
        self.rest()
        guard self.patience == nil else { return }
        self.patience = LoopTimer(every: Self.pauseAfterFailure) { [weak self] in self?.pauseIsOver() }
    }

    private func pauseIsOver() {
        self.patience?.stop()
        self.patience = nil
        if self.isOpen, !self.hasPending { self.watch() }
    }

    /// Leaves further connections in the kernel's queue.
    public func pause() { self.isPaused = true }

    /// Goes on accepting, beginning with the connection that was held back.
    public func resume() {
        guard self.isPaused, self.isOpen else { return }
        self.isPaused = false
        guard self.hasPending else { return }
        self.hasPending = false
        self.watch()
        self.didConnect()
    }

    /// Stops listening. Idempotent.
    public func close() {
        guard self.isOpen else { return }
        self.isOpen = false
        self.patience?.stop()
        self.patience = nil
        let raw = unsafe UnsafeMutableRawPointer(self.handle).assumingMemoryBound(to: uv_handle_t.self)
        unsafe uv_close(raw) { handle in
            let listener = unsafe Unmanaged<TCPListener>.fromOpaque(handle!.pointee.data).takeRetainedValue()
            EventLoop.assumeIsolated { unsafe listener.handle.deallocate() }
        }
        // libuv has let go of it already.
        _ = Glibc.close(self.descriptor)
    }
}
