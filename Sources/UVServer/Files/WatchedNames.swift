/// One folder whose names are watched, as long as anyone depends on one of them.
@EventLoop final class WatchedNames {
    private var watch: FolderWatcher.Watch?
    private var marks: [[UInt8]: [ObjectIdentifier: FreshnessMark]] = [:]
    /// Whether the folder is still told of.
    private(set) var isWatched = true

    /// - Throws: when the folder cannot be watched.
    init(_ folder: borrowing OwnedFile, _ watcher: FolderWatcher) throws(UVError) {
        self.watch = try watcher.watch(folder) { [weak self] event in self?.happened(event) }
    }

    isolated deinit { self.watch?.cancel() }

    /// Until `remove`, `mark` ends when `name` changes.
    func add(_ mark: FreshnessMark, _ name: [UInt8]) { self.marks[name, default: [:]][ObjectIdentifier(mark)] = mark }

    func remove(_ mark: FreshnessMark, _ name: [UInt8]) {
        self.marks[name]?[ObjectIdentifier(mark)] = nil
        if self.marks[name]?.isEmpty == true { self.marks[name] = nil }
    }

    private func happened(_ event: FolderEvent) {
        switch event.kind {
        case .nameAppeared, .nameVanished: self.end(self.marks.removeValue(forKey: event.name))
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
        for marks in self.marks.values { self.end(marks) }
        self.marks = [:]
    }

    private func end(_ marks: [ObjectIdentifier: FreshnessMark]?) {
        for mark in (marks ?? [:]).values { mark.end() }
    }
}
