/// The connections of each address, where their number is limited. Beside those that are served, as many may be on their way out, but at
/// least ``leastLeaving``, among them those that are told that they are too many: whoever opens connections faster than they go costs no
/// more than that.
/// Connections are known by an `ID` that stays the same.
struct AddressLimit<Address: Hashable, ID: Hashable> {
    enum Place: Equatable {
        case served
        /// To be told that it is one too many.
        case turnedAway
        /// To be closed without a word.
        case closed
    }

    private struct Group {
        var served: Set<ID> = []
        var leaving: Set<ID> = []
    }

    /// A client that asks one request after the other over connections of their own is ahead of a busy server by a few.
    static var leastLeaving: Int { 4 }

    /// The most that one address may have. At least 1.
    let limit: Int
    private var leavingLimit: Int { max(self.limit, Self.leastLeaving) }
    private var groups: [Address: Group] = [:]

    init(limit: Int) { self.limit = max(1, limit) }

    /// How many addresses have connections.
    var addressCount: Int { self.groups.count }

    /// Those of `address` that are served.
    func served(of address: Address) -> Set<ID> { self.groups[address]?.served ?? [] }

    /// Whether one more of `address` can be served.
    func hasRoom(for address: Address) -> Bool { self.served(of: address).count < self.limit }

    /// Counts a new connection, unless it is to be closed.
    mutating func add(_ connection: ID, of address: Address) -> Place {
        if self.hasRoom(for: address) {
            self.groups[address, default: Group()].served.insert(connection)
            return .served
        }
        guard self.groups[address, default: Group()].leaving.count < self.leavingLimit else { return .closed }
        self.groups[address, default: Group()].leaving.insert(connection)
        return .turnedAway
    }

    /// It has had its last answer, and no longer keeps another one from being served.
    mutating func leave(_ connection: ID, of address: Address) {
        guard var group = self.groups[address], group.leaving.count < self.leavingLimit, group.served.remove(connection) != nil
        else { return }
        group.leaving.insert(connection)
        self.groups[address] = group
    }

    /// Forgets a connection. Nothing is kept of an address that has none.
    mutating func remove(_ connection: ID, of address: Address) {
        guard var group = self.groups.removeValue(forKey: address) else { return }
        group.served.remove(connection)
        group.leaving.remove(connection)
        if !group.served.isEmpty || !group.leaving.isEmpty { self.groups[address] = group }
    }
}
