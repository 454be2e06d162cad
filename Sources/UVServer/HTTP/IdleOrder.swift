/// Finds the connection that has been idle longest. Nothing is kept in order while there is room, so that requests do not pay for it:
/// when it is needed, the longest of all are looked up together.
struct IdleOrder<ID> {
    private struct Entry {
        let id: ID
        let since: Duration
    }

    /// The longest last.
    private var entries: [Entry] = []

    /// Takes the next one that was idle when they were looked up.
    mutating func popLongest() -> (id: ID, since: Duration)? {
        self.entries.popLast().map { ($0.id, $0.since) }
    }

    /// Looks them up anew: keeps an eighth of those that are idle, so that a look at all of them is paid for by many.
    mutating func fill(_ idle: [(id: ID, since: Duration)]) {
        let longest = idle.sorted { $0.since < $1.since }.prefix(idle.count / 8 + 16)
        self.entries = longest.reversed().map { Entry(id: $0.id, since: $0.since) }
    }
}
