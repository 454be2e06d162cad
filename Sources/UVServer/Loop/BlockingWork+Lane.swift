extension BlockingWork {
    public enum Lane: Int, CaseIterable, Sendable {
        /// Opening and stat, and what takes no longer.
        case open
        /// Giving and taking names: linking, renaming, deleting.
        case link
        /// fsync of files and folders.
        case sync
        /// Storing small uploads, many at a time: writing, syncing and naming.
        case commit
        /// Reading whole folders and writing out their lists, which takes a processor for long.
        case list
        /// Going through folders and all below them, which may take as long as there is something.
        case walk
        /// Writing received bytes.
        case write
        /// Reading what is not in the page cache.
        case read
        /// Waiting for other processes to give up their leases.
        case lease
        /// Waiting for other processes to be done with a name.
        case name
        /// The log, whose reader may be slow.
        case log

        /// Threads that work of this kind may hold at once.
        var threads: Int {
            switch self {
            case .open, .link, .sync, .commit, .write, .read: 4
            case .list, .walk, .lease, .name: 2
            case .log: 1
            }
        }

        /// How many more threads there are for calls that wait behind some that hang. None for the log, whose lines keep their order, and few
        /// for lists and walks: a long one may not hang, but compute.
        var spareThreads: Int {
            switch self {
            case .log: 0
            case .list, .walk: 6
            case .open, .link, .sync, .commit, .write, .read, .lease, .name: 60
            }
        }

        /// Whether it gives way to the loop where they share a processor. With the same priority, a thread that never waits holds the
        /// loop up for a whole slice of time (3 ms) now and then.
        var isBackground: Bool { self == .list || self == .walk }

        /// The size of the pool: no lane ever waits for another's threads.
        static var poolThreads: Int { self.allCases.reduce(0) { $0 + ($1.isBackground ? 0 : $1.threads) } }
    }
}
