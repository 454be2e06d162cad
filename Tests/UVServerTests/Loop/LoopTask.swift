import UVServer

/// A task that needs no thread but the loop's, and has a result. Of a plain `Task` every continuation passes through the global
/// pool, whose threads may all be held by tests that wait for their client to receive something.
struct LoopTask<Value: Sendable>: Sendable {
    @EventLoop private final class Outcome {
        var result: Result<Value, any Error>?
        nonisolated init() {}
    }

    private let outcome = Outcome()
    private let task: Task<Void, Never>

    init(_ body: @escaping @Sendable @EventLoop () async throws -> Value) {
        let outcome = self.outcome
        self.task = EventLoop.spawn {
            do { outcome.result = .success(try await body()) } catch { outcome.result = .failure(error) }
        }
    }

    /// What `body` returned or threw.
    var value: Value {
        get async throws {
            await self.task.value
            guard let result = await self.outcome.result else { preconditionFailure("the task ended without a result") }
            return try result.get()
        }
    }
}

/// Lets the loop look at all its descriptors this many times: each turn is asked for from another thread, through the kernel.
@concurrent func turns(_ count: Int) async {
    for _ in 0..<count { await EventLoop.spawn {}.value }
}
