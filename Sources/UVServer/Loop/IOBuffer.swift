/// A block of memory for received or file bytes, taken from a pool of the whole process and given back when the last
/// holder lets go, on whichever thread that happens.
// Safe: filled by one holder before it is shared; read-only from then on.
@safe final class IOBuffer: @unchecked Sendable {
    /// Enough for a request head, and for the small bodies that come with it.
    static let smallBytes = 16 << 10
    /// For bodies: large writes, few system calls.
    static let largeBytes = 256 << 10

    /// How many free blocks of each size are kept.
    private static let keptBlocks = 64
    // Safe: the addresses are only moved in and out under the lock.
    private static let free = PosixMutex<[Int: [UInt]]>([:])

    let base: UnsafeMutableRawPointer
    let capacity: Int

    /// - Parameter capacity: one of the two sizes above, or any other size that then bypasses the pool.
    init(capacity: Int) {
        self.capacity = capacity
        let address = Self.free.withLock { $0[capacity]?.popLast() }
        unsafe self.base =
            address.flatMap { unsafe UnsafeMutableRawPointer(bitPattern: $0) }
            ?? .allocate(byteCount: capacity, alignment: 4096)
    }

    deinit {
        let (address, size) = unsafe (UInt(bitPattern: self.base), self.capacity)
        let kept =
            (size == Self.smallBytes || size == Self.largeBytes)
            && Self.free.withLock { free in
                guard free[size, default: []].count < Self.keptBlocks else { return false }
                free[size, default: []].append(address)
                return true
            }
        if !kept { unsafe self.base.deallocate() }
    }
}
