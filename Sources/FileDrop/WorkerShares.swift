internal import UVServer

/// What one process may take: its descriptors, of which every process has as many as the system allows, and its share of what all
/// workers use together.
struct WorkerShares {
    /// At least 1.
    let workers: Int
    /// The most that this process may hold.
    let descriptors: Int

    /// - Parameter workers: fewer than one count as one.
    init(workers: Int, descriptors: Int) {
        self.workers = max(1, workers)
        self.descriptors = descriptors
    }

    /// For listeners, the log, the loop itself, and calls on pool threads that open a folder for a moment.
    private var others: Int { min(32, self.descriptors / 4) }

    /// How many files forms may hold open together, beside one each.
    var formFiles: Int { min(self.descriptors / 4, 1024 + self.descriptors / 16, max(16_384 / self.workers, 1024)) }

    /// Each worker can send one list of a very large folder, however many workers there are.
    var listRoom: FolderLists.Room {
        let whole = FolderLists.Room()
        let count = Int64(self.workers)
        return FolderLists.Room(disk: max(whole.disk / count, 32 << 20), memory: max(whole.memory / count, 8 << 20))
    }

    /// How many archives may be made at once; some in each worker, however many workers there are.
    var archives: Int { max(Archives.limit / self.workers, 4) }

    /// For the lists of what they hold.
    var archiveRoom: FolderLists.Room {
        let count = Int64(self.workers)
        return FolderLists.Room(
            disk: max(Archives.room.disk / count, 16 << 20), memory: max(Archives.room.memory / count, 2 << 20))
    }

    /// - Parameter configuration: what else bounds a request or a connection.
    func limits(_ configuration: Configuration) -> RequestLimits {
        var limits = RequestLimits()
        limits.rememberedFiles = min(self.descriptors / 32, 64)
        limits.descriptors = max(9, self.descriptors - self.others - self.formFiles - limits.rememberedFiles)
        // A third stays for answers, also when all connections that there can be are open and none is idle.
        limits.connections = min(limits.descriptors * 2 / 3, max(32_768 / self.workers, 4096))
        if let most = configuration.maxConnections { limits.connections = min(limits.connections, self.share(of: most)) }
        limits.connectionsPerAddress = configuration.maxConnectionsPerAddress.map { self.share(of: $0) }
        limits.lingerBytes = min(configuration.maxSize ?? .max, 1 << 40) + (16 << 20)
        return limits
    }

    /// Rounded up, so that nothing is nobody's.
    private func share(of count: Int) -> Int { max(1, count / self.workers + (count % self.workers > 0 ? 1 : 0)) }
}
