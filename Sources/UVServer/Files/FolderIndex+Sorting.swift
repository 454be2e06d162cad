internal import Glibc

extension FolderIndex {
    /// What an entry is sorted by. Most pairs differ within the eight bytes after what all names begin with, and need no look at the
    /// names.
    private struct Key {
        let isFile: Bool
        let record: UInt32
        /// Big-endian; a name that ends earlier has zeros, which no name holds.
        let bytes: UInt64
    }

    /// Brings the entries into order, and leaves out all but one of the same name.
    mutating func sort() {
        let shared = self.sharedPrefix
        var keys: [Key] = []
        keys.reserveCapacity(self.records.count)
        for (index, record) in self.records.enumerated() {
            var bytes: UInt64 = 0
            for offset in shared..<shared + 8 {
                bytes = bytes << 8 | (offset < record.nameLength ? UInt64(self.names[Int(record.nameStart) + offset]) : 0)
            }
            keys.append(Key(isFile: !record.facts.isFolder, record: UInt32(truncatingIfNeeded: index), bytes: bytes))
        }
        let records = self.records
        unsafe self.names.withUnsafeBufferPointer { names in
            keys.sort { one, other in
                if one.isFile != other.isFile { return other.isFile }
                if one.bytes != other.bytes { return one.bytes < other.bytes }
                return unsafe Self.precedes(records[Int(one.record)], records[Int(other.record)], names)
            }
        }
        var sorted: [Record] = []
        sorted.reserveCapacity(records.count)
        for key in keys {
            let record = records[Int(key.record)]
            // A folder that changes while it is read may give a name twice.
            if let last = sorted.last, last.facts.isFolder == record.facts.isFolder, self.name(last) == self.name(record) {
                continue
            }
            sorted.append(record)
        }
        self.records = sorted
        self.recount()
    }

    /// How many bytes all names begin with.
    private var sharedPrefix: Int {
        guard let first = self.records.first else { return 0 }
        var shared = Int(first.nameLength)
        for record in self.records {
            shared = Swift.min(shared, Int(record.nameLength))
            for offset in 0..<shared
            where self.names[Int(record.nameStart) + offset] != self.names[Int(first.nameStart) + offset] {
                shared = offset
                break
            }
        }
        return shared
    }

    private static func precedes(_ one: Record, _ other: Record, _ names: UnsafeBufferPointer<UInt8>) -> Bool {
        // Safe: records lie within the names.
        let order = unsafe memcmp(
            names.baseAddress! + Int(one.nameStart), names.baseAddress! + Int(other.nameStart),
            Int(Swift.min(one.nameLength, other.nameLength)))
        return order == 0 ? one.nameLength < other.nameLength : order < 0
    }
}
