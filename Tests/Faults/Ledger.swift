/// What clients asked for and what they were told, and so what may be in the folder and what has to be.
///
/// The order is that of one observer: of two changes of a name the later one counts if it began after the answer to the earlier one.
/// Otherwise either may.
struct Ledger {
    /// A name gets a content or goes.
    private struct Change {
        let name: String
        /// `nil`: deleted.
        let content: Content?
        let began: Int
        /// When an answer came; without one it may have happened at any later time, or not at all.
        var ended = Int.max
        var isAcknowledged = false
        /// Nothing has happened.
        var isRefused = false
    }

    /// What is wrong with a name.
    enum Fault: Equatable {
        /// An acknowledged upload is not there.
        case lost(String)
        /// What has the name is nothing that anyone has sent.
        case torn(String, size: Int)
        /// An older content, or one that has been deleted, has the name.
        case stale(String)
        /// Nobody has asked for this name.
        case unknown(String)
    }

    private var changes: [Change] = []
    private var time = 0

    /// How many changes have been acknowledged.
    private(set) var acknowledged = 0

    /// How many have not been answered, or with a failure of the server: they may have happened or not.
    var unanswered: Int { self.changes.count { !$0.isAcknowledged && !$0.isRefused } }

    private mutating func tick() -> Int {
        self.time += 1
        return self.time
    }

    /// - Returns: what the changes are called from now on.
    mutating func begin(_ wanted: [(name: String, content: Content?)]) -> Range<Int> {
        let (first, now) = (self.changes.count, self.tick())
        self.changes += wanted.map { Change(name: $0.name, content: $0.content, began: now) }
        return first..<self.changes.count
    }

    /// The answer was a success.
    mutating func acknowledge(_ changes: Range<Int>) {
        let now = self.tick()
        for index in changes {
            self.changes[index].ended = now
            self.changes[index].isAcknowledged = true
        }
        self.acknowledged += changes.count
    }

    /// The answer was that nothing has happened, and why the client is to blame.
    mutating func refuse(_ changes: Range<Int>) {
        for index in changes { self.changes[index].isRefused = true }
    }

    /// The answer was a failure of the server: it may have happened, but nothing more will.
    mutating func fail(_ changes: Range<Int>) {
        let now = self.tick()
        for index in changes { self.changes[index].ended = now }
    }

    /// Nothing more will happen: whoever could still do something is gone.
    mutating func end() {
        let now = self.tick()
        for index in self.changes.indices where self.changes[index].ended == .max { self.changes[index].ended = now }
    }

    /// What is wrong with `files`, the content of each file by its name.
    func faults(in files: [String: [UInt8]]) -> [Fault] {
        let histories = Dictionary(grouping: self.changes.filter { !$0.isRefused }, by: \.name)
        let unknown = files.keys.filter { histories[$0] == nil }.map { Fault.unknown($0) }
        return unknown + histories.compactMap { (name, history) in Self.fault(of: name, files[name], history) }
    }

    private static func fault(of name: String, _ found: [UInt8]?, _ history: [Change]) -> Fault? {
        // At first there was nothing.
        let all = [Change(name: name, content: nil, began: 0, ended: 0)] + history
        let last = history.filter(\.isAcknowledged).map(\.began).max() ?? 0
        let possible = all.filter { $0.ended >= last }
        guard let found else { return possible.contains { $0.content == nil } ? nil : .lost(name) }
        let isFound = { (change: Change) in change.content.map { $0.size == found.count && $0.bytes == found } ?? false }
        if possible.contains(where: isFound) { return nil }
        return all.contains(where: isFound) ? .stale(name) : .torn(name, size: found.count)
    }
}
