internal import CUV

/// A value behind a POSIX mutex. `Synchronization.Mutex` would do the same, but a thread that has had to wait for it is hidden from
/// ThreadSanitizer, which then reports races that are none.
@safe public final class PosixMutex<Value>: @unchecked Sendable {
    private let handle: UnsafeMutablePointer<uv_mutex_t>
    // Safe: touched under the mutex only.
    private var value: Value

    public init(_ value: Value) {
        self.value = value
        unsafe self.handle = .allocate(capacity: 1)
        let code = unsafe uv_mutex_init(self.handle)
        precondition(code == 0, "uv_mutex_init fails only without memory")
    }

    deinit {
        unsafe uv_mutex_destroy(self.handle)
        unsafe self.handle.deallocate()
    }

    public func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe uv_mutex_lock(self.handle)
        defer { unsafe uv_mutex_unlock(self.handle) }
        return body(&self.value)
    }
}
