/// What one load has done.
struct Tally {
    struct Failures: Equatable {
        var count: Int
        /// What the first of its kind was.
        let first: String
    }

    /// Answered as they should be.
    private(set) var requests = 0
    /// Content that moved, also that of requests that failed or had not ended.
    var bytes: Int64 = 0
    /// Connections that were made.
    var connections = 0
    /// Connections that still stood at the end.
    var open = 0
    private(set) var failures: [String: Failures] = [:]
    /// Microseconds of each request.
    private(set) var latencies: [UInt32] = []

    mutating func succeed(after latency: Duration) {
        self.requests += 1
        self.latencies.append(UInt32(clamping: latency.microseconds))
    }

    mutating func fail(_ failure: LoadFailure) {
        let known = self.failures[failure.kind]
        self.failures[failure.kind] = Failures(count: (known?.count ?? 0) + 1, first: known?.first ?? failure.text)
    }

    var failureCount: Int { self.failures.values.reduce(0) { $0 + $1.count } }

    /// The latency that the given share of requests did not exceed (nearest rank); `nil` without requests.
    static func percentile(_ share: Double, of sorted: [UInt32]) -> UInt32? {
        guard !sorted.isEmpty else { return nil }
        let rank = (share * Double(sorted.count)).rounded(.up)
        return sorted[max(1, min(sorted.count, Int(rank))) - 1]
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        let parts = self.components
        return parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
    }

    var inSeconds: Double {
        let parts = self.components
        return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    }
}
