/// One file that is watched, as long as anyone depends on it: with one watch, however many do.
@EventLoop final class WatchedFile {
    private struct Dependent {
        weak var freshness: Freshness?
    }

    private var watch: FolderWatcher.Watch?
    private var dependents: [ObjectIdentifier: Dependent] = [:]
    /// Whether the file is still told of.
    private(set) var isWatched = true

    /// - Throws: when the file cannot be watched.
    init(_ file: borrowing OwnedFile, _ watcher: FolderWatcher) throws(UVError) {
        self.watch = try watcher.watch(file) { [weak self] event in self?.happened(event) }
    }

    isolated deinit { self.watch?.cancel() }

    /// Until `remove`, `freshness` ends with any change of the file itself.
    func add(_ freshness: Freshness) { self.dependents[ObjectIdentifier(freshness)] = Dependent(freshness: freshness) }

    func remove(_ freshness: Freshness) { self.dependents[ObjectIdentifier(freshness)] = nil }

    private func happened(_ event: FolderWatcher.Event) {
        if event.kind == .gone || event.kind == .lost { self.isWatched = false }
        let all = self.dependents
        self.dependents = [:]
        for dependent in all.values { dependent.freshness?.end() }
    }
}
