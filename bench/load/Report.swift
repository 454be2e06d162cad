import FoundationEssentials

/// The result of a run, for people and for programs.
struct Report: Encodable {
    struct Errors: Encodable {
        let count: Int
        let first: String
    }

    struct Latency: Encodable {
        let p50: UInt32
        let p90: UInt32
        let p99: UInt32
        let max: UInt32
    }

    struct One: Encodable {
        let load: String
        let kind: String
        let clients: Int
        let requests: Int
        let bytes: Int64
        let requestsPerSecond: Double
        let bytesPerSecond: Double
        let connections: Int
        let openAtEnd: Int
        let latencyUs: Latency?
        let errors: [String: Errors]
    }

    let seed: UInt64
    let seconds: Double
    let errors: Int
    let loads: [One]

    init(seed: UInt64, seconds: Double, loads: [(spec: LoadSpec, tally: Tally)]) {
        self.seed = seed
        self.seconds = seconds
        self.errors = loads.reduce(0) { $0 + $1.tally.failureCount }
        self.loads = loads.map { spec, tally in
            let sorted = tally.latencies.sorted()
            let ranks = [0.5, 0.9, 0.99, 1].compactMap { Tally.percentile($0, of: sorted) }
            return One(
                load: spec.text, kind: spec.kind.rawValue, clients: spec.clients, requests: tally.requests, bytes: tally.bytes,
                requestsPerSecond: Double(tally.requests) / seconds, bytesPerSecond: Double(tally.bytes) / seconds,
                connections: tally.connections, openAtEnd: tally.open,
                latencyUs: ranks.count == 4 ? Latency(p50: ranks[0], p90: ranks[1], p99: ranks[2], max: ranks[3]) : nil,
                errors: tally.failures.mapValues { Errors(count: $0.count, first: $0.first) })
        }
    }

    /// One object with everything.
    var json: String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding fails only for numbers that JSON cannot hold, and none of ours is one.
        guard let bytes = try? encoder.encode(self) else { preconditionFailure("numbers of a run are finite") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A few lines a load.
    var text: String {
        var lines: [String] = []
        for one in self.loads {
            lines.append(one.load)
            let rate = "\(Self.rounded(one.requestsPerSecond))/s, \(Self.rounded(one.bytesPerSecond / 1e6)) MB/s"
            lines.append("  \(one.requests) requests, \(one.bytes) bytes in \(Self.rounded(self.seconds)) s: \(rate)")
            if let latency = one.latencyUs {
                lines.append("  µs: p50 \(latency.p50), p90 \(latency.p90), p99 \(latency.p99), max \(latency.max)")
            }
            let held = one.openAtEnd > 0 ? ", \(one.openAtEnd) held to the end" : ""
            lines.append("  \(one.connections) connections\(held)")
            for (kind, errors) in one.errors.sorted(by: { $0.key < $1.key }) {
                lines.append("  FAILED \(errors.count) × \(kind): \(errors.first)")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func rounded(_ value: Double) -> String {
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
