internal import Glibc
public import UVServer

/// The drop folder: the only code that touches it. Every call blocks a pool thread, never the loop.
@EventLoop public final class DropStore {
    private let lookUp: LookUp
    /// `nil` where nothing is written and none was there.
    private let state: Folder?
    private let readOnly: Bool
    private let durability: Durability
    private let allowsUnnamed: Bool
    private let folderSync = FolderSync()
    /// Folders whose leftovers of dead writers are gone. Only those that have to hold hidden names themselves.
    private var swept: Set<FileIdentity> = []

    /// Opens `folder` and, unless `readOnly`, proves that files can be made in it.
    /// - Parameters:
    ///   - stateFolder: for the program's own files, made if it is missing; `nil` for `.uvdrop` in `folder`. No route
    ///     reaches it, wherever it lies.
    ///   - usesOpenat2: `false` resolves paths as on kernels without that call.
    ///   - allowsUnnamed: `false` writes as on file systems without `O_TMPFILE`.
    public init(
        folder: String, stateFolder: String? = nil, readOnly: Bool = false, showsHidden: Bool = false,
        durability: Durability = .full, usesOpenat2: Bool = true, allowsUnnamed: Bool = true
    ) async throws(StoreStartError) {
        let folders = try await BlockingWork.run(.open) { () throws(StoreStartError) in
            let folders = try StoreFolders(folder, state: stateFolder, readOnly: readOnly, usesOpenat2: usesOpenat2)
            if !readOnly { try folders.prove(allowsUnnamed: allowsUnnamed) }
            return folders
        }
        self.lookUp = LookUp(root: folders.root, showsHidden: showsHidden)
        self.state = folders.state
        self.readOnly = readOnly
        self.durability = durability
        self.allowsUnnamed = allowsUnnamed
        self.swept = [folders.root.identity]
    }

    /// The state folder's descriptor owner, for the parts that keep files there; `nil` when read-only without one.
    public var stateFolder: Folder? { self.state }

    /// The drop folder, for the one who watches it.
    public var rootFolder: Folder { self.lookUp.root }

    /// Whether `name` is listed and served, given how the store was set up.
    public func shows(_ name: DropName) -> Bool { self.lookUp.shows(name) }

    /// What the folder at `path` holds: folders first, then files, each by the bytes of their names.
    ///
    /// Names that are reserved at the root are listed: `DropPath.isReserved` says that no link leads there.
    /// - Throws: `.notFound`; `.notFolder` when it is a file.
    public func list(_ path: DropPath) async throws(StoreError) -> [DropEntry] {
        let lookUp = self.lookUp
        guard lookUp.allows(path) else { throw .notFound }
        return try await Self.run(.list, insideFolder: true) { () throws(UVError) in try lookUp.entries(path) }
    }

    /// What `render` writes of the folder's list, which is never held in memory whole: neither the list once it is written, nor
    /// what was written.
    /// - Parameter render: runs on a pool thread, at most twice: again in memory when the state folder has no room.
    /// - Throws: as ``list(_:)``.
    func list(
        _ path: DropPath, _ render: @escaping @Sendable ([DropEntry], inout Spool) throws(UVError) -> Void
    ) async throws(StoreError) -> Spool.Content {
        let (lookUp, state) = (self.lookUp, self.readOnly ? nil : self.state)
        guard lookUp.allows(path) else { throw .notFound }
        return try await Self.run(.list, insideFolder: true) { () throws(UVError) in
            let entries = try lookUp.entries(path)
            do throws(UVError) {
                var spool = Spool(in: state)
                try render(entries, &spool)
                return try spool.finish()
            } catch {
                // A full disk must not keep anyone from seeing what can be deleted.
                guard state != nil else { throw error }
                var spool = Spool(in: nil)
                try render(entries, &spool)
                return try spool.finish()
            }
        }
    }

    /// Opens what `path` leads to.
    /// - Throws: `.notFound` for hidden and reserved names, for all that is neither a file nor a folder, and for a file
    ///   whose path ends in a slash.
    public func open(_ path: DropPath) async throws(StoreError) -> OpenedItem {
        let lookUp = self.lookUp
        guard lookUp.allows(path) else { throw .notFound }
        let item = try await Self.run(.open) { () throws(UVError) in
            try lookUp.find(path) { (elements) throws(UVError) in try lookUp.root.open(elements) }
        }
        switch consume item {
        case .folder: return .folder
        case .file(let file, let status):
            guard !path.isFolder else { throw .notFound }
            return .file(file, status)
        }
    }

    /// The name that a new file called `bytes` would get in `folder`: for refusals before a body has arrived.
    /// - Throws: `.badName`, `.nameTooLong`.
    public func newName(_ bytes: [UInt8], in folder: DropPath) throws(StoreError) -> DropName {
        try self.lookUp.newName(bytes, in: folder)
    }

    /// Begins a file that will be published in `folder`.
    /// - Parameter expectedBytes: takes so much disk space at once; `nil` when the size is not known.
    /// - Throws: `.diskFull` when there is not enough; `.notFound`, `.notFolder`, `.forbidden`.
    public func beginUpload(in folder: DropPath, expectedBytes: Int64?) async throws(StoreError) -> PendingUpload {
        guard !self.readOnly else { throw .forbidden }
        let (lookUp, state, allowsUnnamed, swept) = (self.lookUp, self.state, self.allowsUnnamed, self.swept)
        guard lookUp.allows(folder) else { throw .notFound }
        let file = try await Self.run(.open, insideFolder: true) { () throws(UVError) in
            let file = try lookUp.find(folder) { (elements) throws(UVError) in
                try UploadFile(root: lookUp.root, elements: elements, spare: state, allowsUnnamed: allowsUnnamed)
            }
            let identity = file.folder.identity
            if state?.identity.device != identity.device, !swept.contains(identity) {
                // As at the start: leftovers cost space only.
                _ = try? HiddenName.sweep(file.folder)
            }
            return file
        }
        self.swept.insert(file.folder.identity)
        let reservedBytes = expectedBytes ?? 0
        try await Self.run(.write) { () throws(UVError) in try file.temporary.reserve(reservedBytes) }
        return PendingUpload(
            file: file, path: folder, reservedBytes: reservedBytes, lookUp: lookUp, durability: self.durability,
            folderSync: self.folderSync)
    }

    /// Deletes a file, a symlink (itself, never what it leads to) or an empty folder, as durably as uploads are stored.
    /// - Throws: `.notFound`; `.folderNotEmpty`; `.forbidden` for the drop folder itself.
    public func delete(_ path: DropPath) async throws(StoreError) {
        guard !self.readOnly, let name = path.name else { throw .forbidden }
        let lookUp = self.lookUp
        guard lookUp.allows(path) else { throw .notFound }
        let folder = try await Self.run(.open) { () throws(UVError) in
            let folder = try lookUp.find(path.parent) { (elements) throws(UVError) in try lookUp.root.folder(elements) }
            try Self.remove(name, from: folder, isFolder: path.isFolder)
            return folder
        }
        guard self.durability == .full else { return }
        do throws(UVError) { try await self.folderSync.sync(folder) } catch { throw StoreError(error) }
    }

    private nonisolated static func remove(_ name: DropName, from folder: Folder, isFolder: Bool) throws(UVError) {
        guard let found = try LookUp.name(name.bytes, in: folder), found.status.identity != folder.excluded else {
            throw UVError(code: -ENOENT, call: "fstatat")
        }
        switch found.status.kind {
        case .folder: try folder.removeFolder(found.bytes)
        case .symlink: try folder.removeFile(found.bytes)
        case .file where !isFolder: try folder.removeFile(found.bytes)
        case .file, .other: throw UVError(code: -ENOENT, call: "unlinkat")
        }
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
