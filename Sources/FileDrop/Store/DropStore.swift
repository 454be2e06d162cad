internal import Glibc
public import UVServer

/// The drop folder: the only code that touches it. Every call blocks a pool thread, never the loop.
@EventLoop public final class DropStore {
    let lookUp: LookUp
    /// `nil` where the kernel has no watches left for us.
    private let watcher: PathWatcher?
    /// `nil` where nothing is written and none was there.
    private let state: Folder?
    private let spool: Folder?
    private let names: NameLock
    private let readOnly: Bool
    private let durability: Durability
    private let allowsUnnamed: Bool
    private let keptFree: Int64
    private let disk: DiskSync
    private let commits: CommitQueue
    /// For names that are taken away.
    private let folderSync = FolderSync()
    private let indexes: FolderIndexes
    /// Folders whose leftovers of dead writers are gone. Only those that have to hold hidden names themselves.
    private var swept: Set<FileIdentity> = []

    /// Opens `folder` and, unless `readOnly`, makes sure that files can be made in it.
    /// - Parameters:
    ///   - folder: an absolute path, as is `stateFolder`.
    ///   - stateFolder: for the program's own files, made if it is missing; `nil` for `.uvdrop` in `folder`. No route
    ///     reaches it, wherever it lies.
    ///   - keptFree: so many bytes of the file system that an upload goes to stay free: past it, uploads are `.diskFull`.
    ///   - usesOpenat2: `false` resolves paths as on kernels without that call.
    ///   - allowsUnnamed: `false` writes as on file systems without `O_TMPFILE`.
    public convenience init(
        folder: String, stateFolder: String? = nil, readOnly: Bool = false, showsHidden: Bool = false,
        durability: Durability = .full, keptFree: Int64 = 0, usesOpenat2: Bool = true, allowsUnnamed: Bool = true
    ) async throws(StoreStartError) {
        try await self.init(
            folder: folder, stateFolder: stateFolder, readOnly: readOnly, showsHidden: showsHidden, durability: durability,
            keptFree: keptFree, usesOpenat2: usesOpenat2, allowsUnnamed: allowsUnnamed, disk: DiskSync())
    }

    /// - Parameter disk: the calls that wait for the disk.
    init(
        folder: String, stateFolder: String? = nil, readOnly: Bool = false, showsHidden: Bool = false,
        durability: Durability = .full, keptFree: Int64 = 0, usesOpenat2: Bool = true, allowsUnnamed: Bool = true,
        disk: DiskSync
    ) async throws(StoreStartError) {
        let folders = try await BlockingWork.run(.open) { () throws(StoreStartError) in
            let folders = try StoreFolders(folder, state: stateFolder, readOnly: readOnly, usesOpenat2: usesOpenat2)
            if !readOnly { try folders.requireWritable(allowsUnnamed: allowsUnnamed) }
            return folders
        }
        let lookUp = LookUp(root: folders.root, location: folders.location, showsHidden: showsHidden)
        self.lookUp = lookUp
        // Without one (the user has as many as the system allows) all is looked at anew each time.
        let watcher = try? FolderWatcher()
        self.watcher = watcher.map { PathWatcher(folders.root, $0) }
        self.indexes = FolderIndexes(root: folders.root, watcher: watcher) { lookUp.lists($0, inRoot: $1) }
        self.state = folders.state
        self.spool = folders.spool
        self.names = folders.names
        self.readOnly = readOnly
        self.durability = durability
        self.allowsUnnamed = allowsUnnamed
        self.keptFree = max(0, keptFree)
        self.disk = disk
        self.commits = CommitQueue(durability: durability, disk: disk)
        self.swept = [folders.root.identity]
    }

    /// Whether the path that the folder was opened by still leads to it.
    func locate() async -> FolderLocation.Finding {
        let location = self.lookUp.location
        return await BlockingWork.run(.open) { location.look() }
    }

    /// What the folder at `path` holds: folders first, then files, each by the bytes of their names.
    ///
    /// Names that are reserved at the root are listed: `DropPath.isReserved` says that no link leads there.
    /// - Throws: `.notFound`; `.notFolder` when it is a file.
    public func list(_ path: DropPath) async throws(StoreError) -> [DropEntry] {
        try await self.snapshot(path).index.compactMap { DropEntry($0) }
    }

    /// The same in the form in which it is kept, as it was at some moment after the call.
    func snapshot(_ path: DropPath) async throws(StoreError) -> FolderSnapshot {
        let lookUp = self.lookUp
        guard lookUp.allows(path) else { throw .notFound }
        do throws(UVError) {
            return try await self.indexes.current { () async throws(UVError) in
                if let folder = lookUp.root.folderAtOnce(path.elements) { return .init(folder, elements: path.elements) }
                return try await BlockingWork.run(.open) { () throws(UVError) in
                    try lookUp.find(path) { (elements) throws(UVError) in
                        .init(try lookUp.root.folder(elements), elements: elements)
                    }
                }
            }
        } catch {
            if error.code == -ENOTDIR { throw .notFolder }
            throw StoreError(error)
        }
    }

    /// Lets go of what was made of snapshots.
    func forgetMade() { self.indexes.forgetMade() }

    /// What `render` writes, which is never held in memory whole.
    /// - Parameters:
    ///   - room: what it takes counts there, in memory where no disk has space.
    ///   - lane: where it waits for a thread.
    ///   - render: runs on another thread, at most twice: again in memory when the folder for spooling has no space.
    /// - Throws: `.busy` when the room does not suffice.
    func spool(
        room: SpoolRoom, in lane: BlockingWork.Lane, _ render: @escaping @Sendable (inout Spool) throws(UVError) -> Void
    ) async throws(StoreError) -> Spool.Content {
        let folder = self.spool
        return try await Self.run(lane) { () throws(UVError) in
            do throws(UVError) {
                var spool = Spool(in: folder, room: room)
                try render(&spool)
                return try spool.finish()
            } catch {
                // A full disk must not keep anyone from seeing what can be deleted.
                guard folder != nil, error.code != -EBUSY else { throw error }
                var spool = Spool(in: nil, room: room)
                try render(&spool)
                return try spool.finish()
            }
        }
    }

    /// Opens what `path` leads to.
    /// - Parameter watching: whether to tell, where that is possible, if the path still leads to the same unchanged file. It costs a few
    ///   calls more.
    /// - Throws: `.notFound` for hidden and reserved names, for all that is neither a file nor a folder, and for a file
    ///   whose path ends in a slash.
    public func open(_ path: DropPath, watching: Bool = false) async throws(StoreError) -> OpenedItem {
        let lookUp = self.lookUp
        guard lookUp.allows(path) else { throw .notFound }
        if watching, !path.isFolder, let opened = self.watcher?.openAtOnce(path.elements) {
            return .file(opened.file, opened.status, opened.freshness)
        }
        // What is asked for often is known to the kernel: it costs one call here, and a pool thread nothing.
        if let item = lookUp.root.openAtOnce(path.elements) { return try Self.opened(Found(item, path.elements), path) }
        let found: Found
        do throws(StoreError) {
            found = try await Self.run(.open) { () throws(UVError) in
                try lookUp.find(path) { (elements) throws(UVError) in Found(try lookUp.root.open(elements), elements) }
            }
        } catch {
            guard case .io(let cause) = error, cause.isHeldByLease else { throw error }
            // In a lane of its own: everything else that is to be opened must not wait for it.
            found = try await Self.run(.lease) { () throws(UVError) in
                try lookUp.find(path) { (elements) throws(UVError) in Found(try lookUp.root.openWaiting(elements), elements) }
            }
        }
        return try Self.opened(found, path)
    }

    private struct Found: ~Copyable, Sendable {
        let item: Folder.Item
        /// As they are on the disk.
        let elements: [[UInt8]]

        init(_ item: consuming Folder.Item, _ elements: [[UInt8]]) {
            self.item = item
            self.elements = elements
        }
    }

    private static func opened(_ found: consuming Found, _ path: DropPath) throws(StoreError) -> OpenedItem {
        let elements = found.elements
        let item = found.item
        switch consume item {
        case .folder: return .folder(DropPath(names: elements.compactMap { DropName($0) }, isFolder: true))
        case .file(let file, let status):
            guard !path.isFolder else { throw .notFound }
            return .file(file, status, nil)
        }
    }

    /// Opens the folder at `path` for uploads into it and deletions from it.
    /// - Throws: `.notFound`, `.notFolder`, `.forbidden`.
    public func targetFolder(_ path: DropPath) async throws(StoreError) -> TargetFolder {
        guard !self.readOnly else { throw .forbidden }
        let (lookUp, state, swept) = (self.lookUp, self.state, self.swept)
        guard lookUp.allows(path) else { throw .notFound }
        // A folder that the kernel knows costs one call here; one that has to be swept first waits in the pool.
        if let folder = lookUp.root.folderAtOnce(path.elements),
            state?.identity.device == folder.identity.device || swept.contains(folder.identity)
        {
            return TargetFolder(path: path, folder: folder, elements: path.elements)
        }
        let opened = try await Self.run(.open, insideFolder: true) { () throws(UVError) in
            let opened = try lookUp.find(path) { (elements) throws(UVError) in
                TargetFolder(path: path, folder: try lookUp.root.folder(elements), elements: elements)
            }
            let identity = opened.folder.identity
            if state?.identity.device != identity.device, !swept.contains(identity) {
                // As at the start: leftovers cost space only.
                _ = try? HiddenName.sweep(opened.folder)
            }
            return opened
        }
        self.swept.insert(opened.folder.identity)
        return opened
    }

    /// The name that a new file called `bytes` would get in `folder`: for refusals before a body has arrived.
    /// - Throws: `.badName`, `.nameTooLong`.
    public func newName(_ bytes: [UInt8], in folder: TargetFolder) throws(StoreError) -> DropName {
        try self.lookUp.newName(bytes, in: folder)
    }

    /// Begins a file that will be published in `folder`.
    /// - Parameters:
    ///   - expectedBytes: the most that it can have, or `nil` when that is not known. So much disk space is taken at once, unless it is
    ///     little.
    ///   - looksForRoom: looks whether there is room for little, too.
    /// - Throws: `.diskFull` when there is not enough; `.notFound` when the folder has gone; `.forbidden`. Where little is expected,
    ///   and it was not looked for, the commit says so.
    public func beginUpload(
        in folder: TargetFolder, expectedBytes: Int64?, looksForRoom: Bool = false
    ) async throws(StoreError) -> PendingUpload {
        try await PendingUpload(
            in: self.place(folder), expectedBytes: expectedBytes, looksForRoom: looksForRoom, durability: self.durability,
            disk: self.disk, commits: self.commits)
    }

    /// Makes sure that one file more, of `bytes`, would fit into `folder`: for refusals before a body has arrived. Takes nothing.
    /// - Throws: `.diskFull`.
    func requireRoom(for bytes: Int64, in folder: TargetFolder) async throws(StoreError) {
        let place = self.place(folder)
        try await Self.run(.write) { () throws(UVError) in try place.requireRoom(for: bytes) }
    }

    private func place(_ folder: TargetFolder) -> UploadPlace {
        UploadPlace(
            target: folder, lookUp: self.lookUp, names: self.names, spare: self.state, allowsUnnamed: self.allowsUnnamed,
            keptFree: self.keptFree)
    }

    /// Stores the files of one form: all of them, or none but those that have replaced an older file.
    /// - Throws: as `PendingUpload.commit`.
    func store(_ files: [FinishedUpload], onDuplicate policy: DuplicatePolicy) async throws(StoreError) -> [StoredUpload] {
        try await self.commits.store(files, onDuplicate: policy)
    }

    /// Deletes a file, a symlink (itself, never what it leads to) or an empty folder, as durably as uploads are stored.
    /// - Parameter expected: deletes this very file and no other.
    /// - Throws: `.notFound`; `.changed` when it is not the expected one; `.folderNotEmpty`; `.forbidden` for the drop folder itself.
    public func delete(_ path: DropPath, expecting expected: FileStatus? = nil) async throws(StoreError) {
        guard let name = path.name else { throw .forbidden }
        let place = try await self.targetFolder(path.parent)
        let (lookUp, names) = (self.lookUp, self.names)
        guard lookUp.allows(path) else { throw .notFound }
        let remove = { @Sendable () throws(StoreError) in
            try lookUp.remove(name, from: place, isFolder: path.isFolder, expecting: expected)
        }
        let isDone = try await BlockingWork.run(.link) { () throws(StoreError) in
            try names.holdNow(name.bytes, in: place.folder, remove) != nil
        }
        if !isDone {
            // Somebody who may be stopped holds the name; others are deleted meanwhile.
            try await BlockingWork.run(.name) { () throws(StoreError) in
                try names.hold(name.bytes, in: place.folder, remove)
            }
        }
        guard self.durability == .full else { return }
        do throws(UVError) { try await self.folderSync.sync(place.folder) } catch { throw StoreError(error) }
    }

    /// Runs `work` in its lane; a failed call becomes what it means here.
    /// - Parameter insideFolder: whether a folder was asked for, so that a file is not missing but wrong.
    private static func run<Value: ~Copyable & Sendable>(
        _ lane: BlockingWork.Lane, insideFolder: Bool = false, _ work: @escaping @Sendable () throws(UVError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(UVError) {
            return try await BlockingWork.run(lane, work)
        } catch {
            if insideFolder, error.code == -ENOTDIR { throw .notFolder }
            throw StoreError(error)
        }
    }
}
