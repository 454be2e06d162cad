/// Whether what was made of a file still is what would be made of it now. Ends for good with the first change of the file, or of a name
/// on the way to it.
@EventLoop public final class Freshness {
    let mark = FreshnessMark()
    private let watcher: FolderWatcher
    private var names: [(folder: WatchedNames, name: [UInt8])] = []
    private var file: WatchedFile?

    init(_ watcher: FolderWatcher) { self.watcher = watcher }

    isolated deinit {
        self.file?.remove(self.mark)
        for (folder, name) in self.names { folder.remove(self.mark, name) }
    }

    /// Whether nothing has changed, as far as changes have been told.
    public var isCurrent: Bool { self.mark.isCurrent }

    /// Ends when `name` in that folder comes, goes, or stands for something else.
    func depend(on name: [UInt8], in folder: WatchedNames) {
        folder.add(self.mark, name)
        self.names.append((folder, name))
    }

    /// Ends with any change of the file itself.
    func depend(on file: WatchedFile) {
        file.add(self.mark)
        self.file = file
    }

    /// Whether nothing had changed when the loop looked for events: reads first what the kernel has to tell, once a turn. A change that was
    /// made, by whomever, before a request was sent is seen by the answer to that request.
    func confirm() -> Bool {
        self.watcher.deliverOnceATurn()
        return self.isCurrent
    }
}
