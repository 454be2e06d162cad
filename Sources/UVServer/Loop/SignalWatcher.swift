internal import CUV

/// Tells of one signal on the loop, for as long as the process lives.
@EventLoop @safe public final class SignalWatcher {
    private let handle: UnsafeMutablePointer<uv_signal_t>
    private let received: @EventLoop () -> Void

    /// - Throws: `UVError` when the signal cannot be watched (SIGKILL, SIGSTOP).
    public init(_ signal: CInt, received: @escaping @EventLoop () -> Void) throws(UVError) {
        self.received = received
        unsafe self.handle = .allocate(capacity: 1)
        try unsafe check(uv_signal_init(EventLoop.shared.executor.loop, self.handle), "uv_signal_init")
        unsafe self.handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
        try unsafe check(
            uv_signal_start(
                self.handle,
                { handle, _ in
                    let watcher = unsafe Unmanaged<SignalWatcher>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
                    EventLoop.assumeIsolated { watcher.received() }
                }, signal), "uv_signal_start")
    }
}
