internal import CUV

/// A repeating timer on the loop. It fires until ``stop()``, which must be called: libuv holds the object until then.
@EventLoop @safe public final class LoopTimer {
    private let handle: UnsafeMutablePointer<uv_timer_t>
    /// `nil` once it is stopped: what it holds may hold the timer.
    private var fire: (@EventLoop () -> Void)?
    private var isOpen = true

    public init(every period: Duration, fire: @escaping @EventLoop () -> Void) {
        self.fire = fire
        unsafe self.handle = .allocate(capacity: 1)
        // The loop's time is that of its last look for events: what has run since must not make the timer fire early.
        unsafe uv_update_time(EventLoop.shared.executor.loop)
        // Neither call can fail: the loop lives, and the callback is given.
        _ = unsafe uv_timer_init(EventLoop.shared.executor.loop, self.handle)
        unsafe self.handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
        let parts = period.components
        let milliseconds = UInt64(max(1, parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000))
        _ = unsafe uv_timer_start(
            self.handle,
            { handle in
                let timer = unsafe Unmanaged<LoopTimer>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
                EventLoop.assumeIsolated { timer.fire?() }
            }, milliseconds, milliseconds)
    }

    /// Stops and frees the timer. Idempotent.
    public func stop() {
        guard self.isOpen else { return }
        self.isOpen = false
        self.fire = nil
        let raw = unsafe UnsafeMutableRawPointer(self.handle).assumingMemoryBound(to: uv_handle_t.self)
        unsafe uv_close(raw) { handle in
            let timer = unsafe Unmanaged<LoopTimer>.fromOpaque(handle!.pointee.data).takeRetainedValue()
            EventLoop.assumeIsolated { unsafe timer.handle.deallocate() }
        }
    }
}
