internal import CUV

/// The event loop, as a global actor: all that is marked `@EventLoop` runs on the one thread that runs the libuv loop,
/// and the compiler checks it.
///
/// The thread starts with the first use and lasts as long as the process. SIGPIPE and SIGXFSZ are blocked on it and on the
/// pool's threads, which inherit its mask, so that a write fails instead of ending the process; the rest of the process keeps the
/// disposition its owner gave it.
@globalActor
public actor EventLoop {
    public static let shared = EventLoop()

    let executor: LoopExecutor

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe self.executor.asUnownedSerialExecutor()
    }

    private init() {
        do {
            self.executor = try LoopExecutor()
        } catch {
            fatalError("cannot start the event loop: \(error)")
        }
        self.executor.start()
    }

    /// Enters the loop's isolation from a libuv callback, and runs the jobs that the callback made ready before it
    /// returns to libuv. Traps on any other thread.
    static func assumeIsolated<Value, Failure: Error>(
        _ body: @EventLoop () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // As `preconditionIsolated`, which asks the runtime for what the thread tells.
        self.shared.executor.enter()
        defer { self.shared.executor.runLocal() }
        // Safe: the precondition is the isolation that the cast drops from the type.
        typealias Plain = () throws(Failure) -> Value
        return try withoutActuallyEscaping(body) { escaping throws(Failure) in
            try unsafe unsafeBitCast(escaping, to: Plain.self)()
        }
    }

    /// Another number whenever the loop may have looked for events since. What is known about all that happened before a number was new
    /// is known about every request that is answered under it, since its first byte came before.
    static var turn: UInt64 { unsafe self.shared.executor.turn }

    /// Lets the loop do everything else that is ready first, once.
    public static func nextTurn() async {
        await withCheckedContinuation { turn in self.shared.executor.atNextTurn { turn.resume() } }
    }

    /// Starts a task that never leaves the loop thread.
    ///
    /// A plain `Task` is not enough: its continuations resume on the global pool and hop back, two thread changes each.
    @discardableResult
    public static func spawn<Value: Sendable>(
        _ body: @escaping @Sendable @EventLoop () async -> Value
    ) -> Task<Value, Never> {
        Task(executorPreference: self.shared.executor, operation: body)
    }
}
