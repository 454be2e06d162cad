/// Opens files beneath one folder so that every later change is noticed: of the file, whichever of its names it is changed through,
/// and of each name on the way to it.
///
/// Two changes are told by no event: a file system mounted over a folder on the way, and writes through a mapping, which are told when
/// it ends. Whoever relies on freshness opens anew after a while.
@EventLoop public final class PathWatcher {
    private struct Names {
        weak var watched: WatchedNames?
    }

    private struct File {
        weak var watched: WatchedFile?
    }

    /// Deeper paths are not watched: each folder on the way costs a watch.
    private static let depth = 8

    private let root: Folder
    private let watcher: FolderWatcher
    private var folders: [FileIdentity: Names] = [:]
    private var files: [FileIdentity: File] = [:]
    /// Those that nobody depends on any more are swept once there are so many.
    private var sweepAt = 64

    public init(_ root: Folder, _ watcher: FolderWatcher) {
        self.root = root
        self.watcher = watcher
    }

    /// A file that is watched since before it was looked at.
    @frozen public struct Opened: ~Copyable {
        public let file: OwnedFile
        public let status: FileStatus
        public let freshness: Freshness
    }

    /// As `Folder.openAtOnce`, for regular files. `nil` also where changes are not told (not a local file system), and where the
    /// machine's watches are used up.
    public func openAtOnce(_ path: [[UInt8]]) -> Opened? {
        guard self.root.isLocal, (1...Self.depth).contains(path.count) else { return nil }
        do throws(UVError) {
            let freshness = Freshness(self.watcher)
            // From the outside in, and each name before what it leads to is looked at: no change falls in between.
            freshness.depend(on: path[0], in: try self.names(of: self.root))
            for depth in 1..<path.count {
                guard let folder = self.root.folderAtOnce(Array(path[..<depth])) else { return nil }
                freshness.depend(on: path[depth], in: try self.names(of: folder))
            }
            guard let item = self.root.openAtOnce(path) else { return nil }
            guard case .file(let file, let found) = consume item else { return nil }
            freshness.depend(on: try self.watched(file, found.identity))
            // Once more, since it is watched only now.
            let status = try file.status()
            return Opened(file: file, status: status, freshness: freshness)
        } catch {
            return nil
        }
    }

    private func names(of folder: Folder) throws(UVError) -> WatchedNames {
        if let known = self.folders[folder.identity]?.watched, known.isWatched { return known }
        self.sweep()
        let names = try WatchedNames(folder.file, self.watcher)
        self.folders[folder.identity] = Names(watched: names)
        return names
    }

    private func watched(_ file: borrowing OwnedFile, _ identity: FileIdentity) throws(UVError) -> WatchedFile {
        if let known = self.files[identity]?.watched, known.isWatched { return known }
        self.sweep()
        let watched = try WatchedFile(file, self.watcher)
        self.files[identity] = File(watched: watched)
        return watched
    }

    private func sweep() {
        guard self.folders.count + self.files.count >= self.sweepAt else { return }
        self.folders = self.folders.filter { $0.value.watched != nil }
        self.files = self.files.filter { $0.value.watched != nil }
        self.sweepAt = max(64, (self.folders.count + self.files.count) * 2)
    }
}
