/// A block of memory for received or file bytes, taken from a pool of the whole process and given back when the last
/// holder lets go, on whichever thread that happens.
// Safe: filled by one holder before it is shared; read-only from then on.
@safe final class IOBuffer: @unchecked Sendable {
    /// Enough for a request head, and for the small bodies that come with it.
    static let smallBytes = 16 << 10
    /// For bodies: large writes, few system calls.
    static let largeBytes = 256 << 10
    /// For bodies that are larger: file systems keep what one call writes in few large pieces, so that it costs less by the byte.
    static let bulkBytes = 1 << 20
    /// At most so many blocks of that size are in use; who comes then gets large ones. Memory grows with the connections, and a
    /// disk that falls behind all of them must not make it grow fast.
    static let bulkBlocks = 32

    /// How many bytes of free blocks of each size are kept.
    private static let keptBytes = 16 << 20

    private struct Pool {
        var free: [Int: [UInt]] = [:]
        var bulkInUse = 0
    }

    // Safe: the addresses are only moved in and out under the lock.
    private static let pool = PosixMutex(Pool())

    let base: UnsafeMutableRawPointer
    let capacity: Int

    /// - Parameter capacity: one of the three sizes above, or any other size that then bypasses the pool. Instead of a bulk block
    ///   it may be a large one.
    init(capacity wanted: Int) {
        let (capacity, address) = Self.pool.withLock { pool in
            var capacity = wanted
            if wanted == Self.bulkBytes {
                if pool.bulkInUse < Self.bulkBlocks { pool.bulkInUse += 1 } else { capacity = Self.largeBytes }
            }
            return (capacity, pool.free[capacity]?.popLast())
        }
        self.capacity = capacity
        unsafe self.base =
            address.flatMap { unsafe UnsafeMutableRawPointer(bitPattern: $0) }
            ?? .allocate(byteCount: capacity, alignment: 4096)
    }

    deinit {
        let (address, size) = unsafe (UInt(bitPattern: self.base), self.capacity)
        let kept = Self.pool.withLock { pool in
            if size == Self.bulkBytes { pool.bulkInUse -= 1 }
            guard size == Self.smallBytes || size == Self.largeBytes || size == Self.bulkBytes else { return false }
            guard pool.free[size, default: []].count < Self.keptBytes / max(size, Self.largeBytes) else { return false }
            pool.free[size, default: []].append(address)
            return true
        }
        if !kept { unsafe self.base.deallocate() }
    }
}
