extension FolderIndex {
    /// A name that was looked at again, and what it is now; `nil`: nothing that a list shows.
    struct Change: Sendable {
        let name: [UInt8]
        let facts: Facts?
        /// A symlink that leads to nothing that a list shows.
        var isHiddenLink = false
    }

    /// Takes over what was found out about some names, each of which occurs once.
    /// - Returns: whether a list shows anything else now.
    /// - Throws: `EOVERFLOW` when the names take 4 GiB.
    mutating func apply(_ changes: [Change]) throws(UVError) -> Bool {
        var removed: [Int] = []
        var added: [(position: Int, change: Change)] = []
        var isOther = false
        for change in changes {
            if change.isHiddenLink { self.hiddenLinks.insert(change.name) } else { self.hiddenLinks.remove(change.name) }
            for isFolder in [true, false] {
                let (position, isThere) = self.position(of: change.name, isFolder: isFolder)
                guard let facts = change.facts, facts.isFolder == isFolder, change.name.count <= Self.longestName else {
                    if isThere { removed.append(position) }
                    continue
                }
                guard isThere else {
                    added.append((position, change))
                    continue
                }
                if !self.records[position].facts.looksLike(facts) { isOther = true }
                self.records[position].facts = facts
            }
        }
        if !removed.isEmpty || !added.isEmpty {
            isOther = true
            try self.replace(removed.sorted(), by: added.sorted { Self.isBefore($0, $1) })
        }
        self.loosen(changes)
        self.recount()
        return isOther
    }

    private static func isBefore(_ one: (position: Int, change: Change), _ other: (position: Int, change: Change)) -> Bool {
        // Places in the part of the folders come before those in the part of the files, but the last of one is the first of the other.
        if one.position != other.position { return one.position < other.position }
        if one.change.facts?.isFolder != other.change.facts?.isFolder { return one.change.facts?.isFolder == true }
        return one.change.name.lexicographicallyPrecedes(other.change.name)
    }

    /// - Parameters:
    ///   - removed: in order.
    ///   - added: in order, each with the place before which it goes.
    private mutating func replace(_ removed: [Int], by added: [(position: Int, change: Change)]) throws(UVError) {
        var kept: [Record] = []
        kept.reserveCapacity(self.records.count + added.count - removed.count)
        var (next, nextRemoved) = (0, 0)
        func keep(to position: Int, _ records: [Record], _ next: inout Int, _ kept: inout [Record]) {
            kept += records[next..<position]
            next = position
        }
        func drop(before position: Int, _ index: inout FolderIndex) {
            while nextRemoved < removed.count, removed[nextRemoved] < position {
                keep(to: removed[nextRemoved], index.records, &next, &kept)
                index.unusedNameBytes += Int(index.records[next].nameLength)
                next += 1
                nextRemoved += 1
            }
        }
        for (position, change) in added {
            guard let facts = change.facts else { continue }
            drop(before: position, &self)
            keep(to: position, self.records, &next, &kept)
            let record = try self.record(change.name.count, facts)
            self.names += change.name
            kept.append(record)
        }
        drop(before: .max, &self)
        keep(to: self.records.count, self.records, &next, &kept)
        self.records = kept
        if self.unusedNameBytes > self.names.count / 2 { self.compact() }
    }

    /// Gives back what names that are gone take.
    private mutating func compact() {
        var names: [UInt8] = []
        names.reserveCapacity(self.names.count - self.unusedNameBytes)
        for index in self.records.indices {
            let record = self.records[index]
            self.records[index] = Record(
                facts: record.facts, nameLength: record.nameLength, nameStart: UInt32(truncatingIfNeeded: names.count))
            names += self.name(record)
        }
        (self.names, self.unusedNameBytes) = (names, 0)
    }

    /// A file that has got a second name may be written to by it: the first one is loose as well from then on.
    private mutating func loosen(_ changes: [Change]) {
        let inodes = Set(changes.compactMap { $0.facts.flatMap { $0.isLoose && !$0.isFolder ? $0.inode : nil } })
        guard !inodes.isEmpty else { return }
        for index in self.records.indices where inodes.contains(self.records[index].facts.inode) {
            self.records[index].facts.isLoose = true
        }
    }
}
