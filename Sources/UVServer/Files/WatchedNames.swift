/// One folder whose names are watched, as long as anyone depends on one of them.
@EventLoop final class WatchedNames {
    private struct Dependent {
        weak var freshness: Freshness?
    }

    private var watch: FolderWatcher.Watch?
    private var dependents: [[UInt8]: [ObjectIdentifier: Dependent]] = [:]
    /// Whether the folder is still told of.
    private(set) var isWatched = true

    /// - Throws: when the folder cannot be watched.
    init(_ folder: borrowing OwnedFile, _ watcher: FolderWatcher) throws(UVError) {
        self.watch = try watcher.watch(folder) { [weak self] event in self?.happened(event) }
    }

    isolated deinit { self.watch?.cancel() }

    /// Until `remove`, `freshness` ends when `name` changes.
    func add(_ freshness: Freshness, _ name: [UInt8]) {
        self.dependents[name, default: [:]][ObjectIdentifier(freshness)] = Dependent(freshness: freshness)
    }

    func remove(_ freshness: Freshness, _ name: [UInt8]) {
        self.dependents[name]?[ObjectIdentifier(freshness)] = nil
        if self.dependents[name]?.isEmpty == true { self.dependents[name] = nil }
    }

    private func happened(_ event: FolderWatcher.Event) {
        switch event.kind {
        case .nameAppeared, .nameVanished: self.end(self.dependents.removeValue(forKey: event.name))
        // What stands behind a name has its own watch.
        case .contentChanged: break
        // Who may pass through the folder.
        case .attributesChanged: if event.name.isEmpty { self.endAll() }
        case .gone, .lost:
            self.isWatched = false
            self.endAll()
        }
    }

    private func endAll() {
        let all = self.dependents
        self.dependents = [:]
        for dependents in all.values { self.end(dependents) }
    }

    private func end(_ dependents: [ObjectIdentifier: Dependent]?) {
        for dependent in dependents.map({ Array($0.values) }) ?? [] { dependent.freshness?.end() }
    }
}
