/// Whether what was made of a file still is what would be made of it now. Ends for good with the first change of the file, or of a name
/// on the way to it.
@EventLoop public final class Freshness {
    /// The answer alone, for whoever asks with every request: an object that nobody refers to weakly, which makes it cheaper to hold.
    @EventLoop final class Mark {
        fileprivate(set) var isCurrent = true
    }

    let mark = Mark()

    /// Whether nothing has changed, as far as changes have been told.
    public var isCurrent: Bool { self.mark.isCurrent }
    private let watcher: FolderWatcher
    private var names: [(folder: WatchedNames, name: [UInt8])] = []
    private var file: WatchedFile?

    init(_ watcher: FolderWatcher) { self.watcher = watcher }

    isolated deinit { self.letGo() }

    /// Ends when `name` in that folder comes, goes, or stands for something else.
    func depend(on name: [UInt8], in folder: WatchedNames) {
        folder.add(self, name)
        self.names.append((folder, name))
    }

    /// Ends with any change of the file itself.
    func depend(on file: WatchedFile) {
        file.add(self)
        self.file = file
    }

    func end() {
        guard self.isCurrent else { return }
        self.mark.isCurrent = false
        self.letGo()
    }

    private func letGo() {
        self.file?.remove(self)
        self.file = nil
        for (folder, name) in self.names { folder.remove(self, name) }
        self.names = []
    }

    /// Whether nothing had changed when the loop looked for events: reads first what the kernel has to tell, once a turn. A change that was
    /// made, by whomever, before a request was sent is seen by the answer to that request.
    func confirm() -> Bool {
        self.watcher.deliverOnceATurn()
        return self.isCurrent
    }
}
