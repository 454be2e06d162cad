/// How much longer the peer of a transfer may be waited for. That begins as the whole grace; waiting takes from it, and bytes add to it,
/// a second for as many as the rate asks for in one, up to the whole again. So a peer that is as fast as the rate on average may pause for
/// the grace at any time, and one that is slower is found out, however it spreads its bytes.
///
/// Time in which the server itself is waited for is never told to it.
struct TransferPace: Sendable {
    private let grace: Duration
    private let bytesPerSecond: Int64
    /// Zero or less: it is too slow.
    private(set) var left: Duration
    /// What had been moved when it was last told; `nil` before.
    private(set) var total: Int64?

    init(grace: Duration, bytesPerSecond: Int64) {
        self.grace = grace
        self.bytesPerSecond = max(1, bytesPerSecond)
        self.left = grace
    }

    /// A transfer begins.
    /// - Parameter total: what has been moved before; `nil` while that is not known.
    mutating func begin(at total: Int64?) {
        self.left = self.grace
        self.total = total
    }

    /// The peer has been waited for. To be told before the bytes that it moved meanwhile.
    mutating func waited(_ time: Duration) { self.left -= time }

    /// So many bytes have been moved, with all that came before. Tells nothing the first time, when there is nothing to compare with.
    mutating func moved(total: Int64) {
        // More than this is worth more than any grace.
        let fresh = min(max(0, total - (self.total ?? total)), 1 << 30)
        self.total = total
        guard fresh > 0 else { return }
        self.left = min(self.grace, self.left + .nanoseconds(fresh * 1_000_000_000 / self.bytesPerSecond))
    }
}
