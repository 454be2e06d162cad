internal import CUV

/// A lock for each key that somebody has at the time, and nothing for all others. Of POSIX mutexes, for the reason that `PosixMutex` gives.
/// All calls but `unlock` and `tryLock` block.
@safe public final class KeyedLocks<Key: Hashable & Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<uv_mutex_t>
    /// Told of every key that is given back: few wait at a time, and each looks for its own.
    private let isFree: UnsafeMutablePointer<uv_cond_t>
    // Safe: touched under the mutex only.
    private var held: Set<Key> = []

    public init() {
        unsafe self.mutex = .allocate(capacity: 1)
        unsafe self.isFree = .allocate(capacity: 1)
        let code = unsafe uv_mutex_init(self.mutex) | uv_cond_init(self.isFree)
        precondition(code == 0, "uv_mutex_init and uv_cond_init fail only without memory")
    }

    deinit {
        unsafe uv_cond_destroy(self.isFree)
        unsafe uv_mutex_destroy(self.mutex)
        unsafe self.isFree.deallocate()
        unsafe self.mutex.deallocate()
    }

    /// Waits for the lock of `key`. Whoever has it already waits for ever.
    public func lock(_ key: Key) {
        unsafe uv_mutex_lock(self.mutex)
        defer { unsafe uv_mutex_unlock(self.mutex) }
        while !self.held.insert(key).inserted { unsafe uv_cond_wait(self.isFree, self.mutex) }
    }

    /// Takes the lock of `key` if nobody has it.
    public func tryLock(_ key: Key) -> Bool {
        unsafe uv_mutex_lock(self.mutex)
        defer { unsafe uv_mutex_unlock(self.mutex) }
        return self.held.insert(key).inserted
    }

    /// Gives up a lock that has been taken, by whichever thread.
    public func unlock(_ key: Key) {
        unsafe uv_mutex_lock(self.mutex)
        defer { unsafe uv_mutex_unlock(self.mutex) }
        self.held.remove(key)
        unsafe uv_cond_broadcast(self.isFree)
    }
}
