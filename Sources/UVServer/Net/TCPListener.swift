internal import CUV
internal import Glibc

/// A listening TCP socket.
///
/// Not accepting in the callback stops libuv's polling: that is how ``pause()`` works, so that at the connection cap clients
/// wait in the kernel's queue instead of being dropped.
@EventLoop @safe public final class TCPListener {
    private let handle: UnsafeMutablePointer<uv_tcp_t>
    private let accepted: @EventLoop (TCPStream) -> Void
    private var isOpen = true
    private var isPaused = false
    /// Whether a connection is held back.
    private(set) var hasPending = false

    /// Called when a connection comes while it is paused.
    public var held: (@EventLoop () -> Void)?

    /// Binds and listens, as `ListeningSocket` does.
    ///
    /// - Throws: `UVError`: the address is taken, not of this machine, or not permitted.
    public convenience init(_ address: SocketAddress, accepted: @escaping @EventLoop (TCPStream) -> Void) throws(UVError) {
        try self.init(try ListeningSocket(address), accepted: accepted)
    }

    /// Accepts from `socket`, which it takes over.
    public init(_ socket: ListeningSocket, backlog: CInt = 1024, accepted: @escaping @EventLoop (TCPStream) -> Void)
        throws(UVError)
    {
        self.accepted = accepted
        unsafe self.handle = .allocate(capacity: 1)
        let loop = unsafe EventLoop.shared.executor.loop
        let initialised = unsafe uv_tcp_init(loop, self.handle)
        guard initialised == 0 else {
            unsafe self.handle.deallocate()
            throw UVError(code: initialised, call: "uv_tcp_init")
        }
        unsafe self.handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
        do throws(UVError) {
            unsafe try check(uv_tcp_open(self.handle, socket.descriptor), "uv_tcp_open")
            _ = socket.release()
            // It listens already; this says to libuv what to call.
            unsafe try check(
                uv_listen(
                    self.stream, backlog,
                    { server, status in
                        guard status == 0 else { return }
                        let listener = unsafe Unmanaged<TCPListener>.fromOpaque(server!.pointee.data).takeUnretainedValue()
                        EventLoop.assumeIsolated { listener.didConnect() }
                    }), "listen")
        } catch {
            self.close()
            throw error
        }
    }

    private var stream: UnsafeMutablePointer<uv_stream_t> {
        unsafe UnsafeMutableRawPointer(self.handle).assumingMemoryBound(to: uv_stream_t.self)
    }

    /// The address that was bound, with the port that the kernel chose for port 0.
    public var address: SocketAddress {
        var storage = sockaddr_storage()
        var length = CInt(MemoryLayout<sockaddr_storage>.size)
        _ = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe uv_tcp_getsockname(self.handle, $0, &length)
            }
        }
        return SocketAddress(storage)
    }

    private func didConnect() {
        guard self.isOpen else { return }
        guard !self.isPaused else {
            self.hasPending = true
            self.held?()
            return
        }
        // A connection that is gone before it was accepted is nobody's error.
        guard let stream = unsafe try? TCPStream(acceptingFrom: self.stream) else { return }
        self.accepted(stream)
    }

    /// Leaves further connections in the kernel's queue.
    public func pause() { self.isPaused = true }

    /// Goes on accepting, beginning with the connection that was held back.
    public func resume() {
        guard self.isPaused, self.isOpen else { return }
        self.isPaused = false
        guard self.hasPending else { return }
        self.hasPending = false
        self.didConnect()
    }

    /// Stops listening. Idempotent.
    public func close() {
        guard self.isOpen else { return }
        self.isOpen = false
        let raw = unsafe UnsafeMutableRawPointer(self.handle).assumingMemoryBound(to: uv_handle_t.self)
        unsafe uv_close(raw) { handle in
            let listener = unsafe Unmanaged<TCPListener>.fromOpaque(handle!.pointee.data).takeRetainedValue()
            EventLoop.assumeIsolated { unsafe listener.handle.deallocate() }
        }
    }
}
