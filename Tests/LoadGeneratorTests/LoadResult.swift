import FoundationEssentials
import TestSupport
import UVServer

@testable import LoadGenerator

/// What the load generator printed as JSON, as far as tests look at it.
struct LoadResult: Decodable, Sendable {
    struct Errors: Decodable, Sendable {
        let count: Int
        let first: String
    }

    struct Latency: Decodable, Sendable {
        let p50: Int
        let p99: Int
        let max: Int
    }

    struct One: Decodable, Sendable {
        let kind: String
        let requests: Int
        let bytes: Int
        let connections: Int
        let openAtEnd: Int
        let latencyUs: Latency?
        let errors: [String: Errors]

        /// How often each kind of failure came.
        var failures: [String: Int] { self.errors.mapValues(\.count) }
    }

    let seconds: Double
    let errors: Int
    let loads: [One]
    /// The exit status.
    var status: Int32 = 0

    private enum CodingKeys: String, CodingKey { case seconds, errors, loads }

    /// - Parameter begun: gets the run, to end it early.
    static func of(_ arguments: [String], begun: @escaping @EventLoop (Run) -> Void = { _ in }) async -> LoadResult {
        let outcome = await LoadCommand.run(arguments + ["--json"], begun: begun)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard var result = try? decoder.decode(LoadResult.self, from: Data(outcome.output.utf8)) else {
            preconditionFailure("no result: \(outcome.output)")
        }
        result.status = outcome.status
        return result
    }
}
