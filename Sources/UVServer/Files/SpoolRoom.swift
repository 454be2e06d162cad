internal import Synchronization

/// How many bytes spools may take together: counted before they are written, and until nobody holds what was spooled any more. What goes
/// to a disk and what stays in memory count apart.
public final class SpoolRoom: Sendable {
    /// The bytes of one spool, and of what becomes of it; given back with the last reference.
    public final class Share: Sendable {
        private let room: SpoolRoom
        private let diskBytes = Atomic<Int64>(0)
        private let memoryBytes = Atomic<Int64>(0)

        init(_ room: SpoolRoom) { self.room = room }

        deinit {
            self.room.disk.give(self.diskBytes.load(ordering: .relaxed))
            self.room.memory.give(self.memoryBytes.load(ordering: .relaxed))
        }

        /// - Returns: whether there was room; if not, nothing is taken.
        func take(_ bytes: Int64, inMemory: Bool) -> Bool {
            guard (inMemory ? self.room.memory : self.room.disk).take(bytes) else { return false }
            if inMemory {
                self.memoryBytes.add(bytes, ordering: .relaxed)
            } else {
                self.diskBytes.add(bytes, ordering: .relaxed)
            }
            return true
        }
    }

    private final class Count: Sendable {
        let limit: Int64
        let used = Atomic<Int64>(0)

        init(limit: Int64) { self.limit = limit }

        func take(_ bytes: Int64) -> Bool {
            var used = self.used.load(ordering: .relaxed)
            while bytes <= self.limit - used {
                let (done, found) = self.used.weakCompareExchange(expected: used, desired: used + bytes, ordering: .relaxed)
                if done { return true }
                used = found
            }
            return false
        }

        func give(_ bytes: Int64) { self.used.subtract(bytes, ordering: .relaxed) }
    }

    private let disk: Count
    private let memory: Count

    /// - Parameters:
    ///   - disk: the most bytes in files.
    ///   - memory: the most bytes in memory, whether it looks like a file or not.
    public init(disk: Int64 = .max, memory: Int64 = .max) {
        self.disk = Count(limit: disk)
        self.memory = Count(limit: memory)
    }

    /// In bytes, at this moment.
    public var diskBytes: Int64 { self.disk.used.load(ordering: .relaxed) }
    /// In bytes, at this moment.
    public var memoryBytes: Int64 { self.memory.used.load(ordering: .relaxed) }
}
