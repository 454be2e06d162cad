import TestSupport

/// How long answers took to come.
struct Latencies {
    private var seconds: [Double] = []

    var count: Int { self.seconds.count }

    /// Adds the time that `request` takes.
    mutating func measure(_ request: () throws -> Void) rethrows {
        let start = monotonicSeconds()
        try request()
        self.seconds.append(monotonicSeconds() - start)
    }

    /// The time within which so many of a hundred had come; there must be some.
    func percentile(_ share: Int) -> Double { self.seconds.sorted()[(self.seconds.count - 1) * share / 100] }
}

extension Latencies: CustomStringConvertible {
    var description: String {
        [50, 90, 99].map { "p\($0) \((self.percentile($0) * 1e6).rounded() / 1e3) ms" }.joined(separator: ", ")
    }
}
