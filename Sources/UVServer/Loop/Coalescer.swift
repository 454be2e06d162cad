/// Work that many ask for at once: one run answers all who asked before it began, and none who came later, so that everyone gets a
/// result that knows what was done before they asked.
@EventLoop public final class Coalescer<Key: Hashable & Sendable, Value: Sendable> {
    /// What one who waits is told.
    private enum Turn: Sendable {
        case done(Value)
        /// The run that was under way began too early for this one; the next is its to run.
        case lead
    }

    private typealias Waiter = CheckedContinuation<Turn, Never>

    /// What is being worked on, and who waits for its next run.
    private var waiting: [Key: [Waiter]] = [:]

    /// How many runs there were.
    public private(set) var runs = 0

    public init() {}

    /// How many wait for the next run for `key`.
    public func waitingCount(_ key: Key) -> Int { self.waiting[key]?.count ?? 0 }

    /// The result of a run for `key` that begins after the call.
    /// - Parameter run: what to do if it is this caller's turn.
    public func value(for key: Key, _ run: @EventLoop () async -> Value) async -> Value {
        let turn = await withCheckedContinuation { (waiter: Waiter) in
            // Who finds nobody leads. Found and taken in one step: a task from outside may be suspended before and after it.
            if self.waiting[key] == nil {
                self.waiting[key] = []
                waiter.resume(returning: .lead)
            } else {
                self.waiting[key]?.append(waiter)
            }
        }
        if case .done(let value) = turn { return value }
        let covered = self.waiting[key] ?? []
        self.waiting[key] = []
        self.runs += 1
        let value = await run()
        for waiter in covered { waiter.resume(returning: .done(value)) }
        var next = self.waiting[key] ?? []
        if next.isEmpty {
            self.waiting[key] = nil
        } else {
            let leader = next.removeFirst()
            self.waiting[key] = next
            leader.resume(returning: .lead)
        }
        return value
    }
}
