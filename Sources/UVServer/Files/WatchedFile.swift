/// One file that is watched, as long as anyone depends on it: with one watch, however many do.
@EventLoop final class WatchedFile {
    private var watch: FolderWatcher.Watch?
    private var marks: [ObjectIdentifier: FreshnessMark] = [:]
    /// Whether the file is still told of.
    private(set) var isWatched = true

    /// - Throws: when the file cannot be watched.
    init(_ file: borrowing OwnedFile, _ watcher: FolderWatcher) throws(UVError) {
        self.watch = try watcher.watch(file) { [weak self] event in self?.happened(event) }
    }

    isolated deinit { self.watch?.cancel() }

    /// Until `remove`, `mark` ends with any change of the file itself.
    func add(_ mark: FreshnessMark) { self.marks[ObjectIdentifier(mark)] = mark }

    func remove(_ mark: FreshnessMark) { self.marks[ObjectIdentifier(mark)] = nil }

    private func happened(_ event: FolderEvent) {
        if event.kind == .gone || event.kind == .lost { self.isWatched = false }
        for mark in self.marks.values { mark.end() }
        self.marks = [:]
    }
}
