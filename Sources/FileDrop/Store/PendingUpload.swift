public import UVServer

/// An upload on its way: bytes in a file without a name. It becomes visible by `commit` or `publish`, once; dropped means gone.
@EventLoop public struct PendingUpload: ~Copyable {
    private let file: UploadFile
    private let folder: TargetFolder
    private let lookUp: LookUp
    private let durability: Durability
    private let folderSync: FolderSync
    /// Disk space taken in advance, in bytes.
    private var reservedBytes: Int64
    private var isSynced = false
    private var failure: StoreError?

    /// What has been written so far.
    public private(set) var bytesWritten: Int64 = 0

    init(
        file: UploadFile, folder: TargetFolder, reservedBytes: Int64, lookUp: LookUp, durability: Durability,
        folderSync: FolderSync
    ) {
        self.file = file
        self.folder = folder
        self.reservedBytes = reservedBytes
        self.lookUp = lookUp
        self.durability = durability
        self.folderSync = folderSync
    }

    /// Appends `chunk`. After a failure the upload can only be dropped.
    /// - Throws: `.diskFull` when the disk or a quota is full.
    public mutating func write(_ chunk: ByteChunk) async throws(StoreError) {
        let (file, offset) = (self.file, self.bytesWritten)
        try await self.run(.write) { () throws(UVError) in
            try chunk.withSpan { (bytes) throws(UVError) in try file.temporary.file.write(bytes, at: offset) }
        }
        self.bytesWritten += Int64(chunk.count)
        self.isSynced = false
    }

    /// Gives back disk space that was taken in advance and has not been written to.
    public mutating func trim() async throws(StoreError) {
        let (file, size) = (self.file, self.bytesWritten)
        guard self.reservedBytes > size else { return }
        try await self.run(.write) { () throws(UVError) in try file.temporary.truncate(to: size) }
        self.reservedBytes = size
    }

    /// Waits until what was written is on the disk, as far as the store was told to. `publish` does it when nobody has.
    public mutating func sync() async throws(StoreError) {
        let (file, durability) = (self.file, self.durability)
        guard !self.isSynced else { return }
        try await self.trim()
        try await self.run(.sync) { () throws(UVError) in
            switch durability {
            case .full: try file.temporary.sync(.full)
            case .data: try file.temporary.sync(.data)
            case .none: break
            }
        }
        self.isSynced = true
    }

    /// Gives the upload its name. It is seen from then on, but may be lost in a power cut until it is settled.
    ///
    /// Nothing is ever replaced unless `policy` is `.overwrite` or `expected` is given.
    /// - Parameter expected: replaces this very file and no other, whatever the policy. Best effort: who changes the file
    ///   between the last look and the rename is not noticed.
    /// - Throws: `.nameTaken` by the policy, or for a folder of that name; `.changed` when the file is not the expected
    ///   one; `.badName` and `.nameTooLong` for a name that no new file may have; `.notFound` when the folder is gone.
    ///   The upload is dropped then.
    consuming func publish(
        as name: DropName, onDuplicate policy: DuplicatePolicy, expecting expected: FileStatus? = nil
    ) async throws(StoreError) -> PublishedUpload {
        do throws(StoreError) {
            let name = try self.lookUp.newName(name.bytes, in: self.folder)
            try await self.sync()
            let file = self.file
            let (given, replaced) = try await BlockingWork.run(.link) { () throws(StoreError) in
                try file.publish(as: name, onDuplicate: policy, expecting: expected)
            }
            return PublishedUpload(
                name: given, replaced: replaced, size: self.bytesWritten, file: file,
                folderSync: self.durability == .full ? self.folderSync : nil)
        } catch {
            await self.discard()
            throw error
        }
    }

    /// Makes the upload visible, as durably as the store was told to.
    /// - Parameter expected: as for `publish`.
    /// - Returns: the name it has got, and whether an older file has gone.
    /// - Throws: as `publish`.
    public consuming func commit(
        as name: DropName, onDuplicate policy: DuplicatePolicy, expecting expected: FileStatus? = nil
    ) async throws(StoreError) -> (DropName, replaced: Bool) {
        let published = try await self.publish(as: name, onDuplicate: policy, expecting: expected)
        do throws(StoreError) { try await published.settle() } catch {
            await published.withdraw()
            throw error
        }
        return (published.name, published.replaced)
    }

    /// Drops the upload and frees its disk space on a pool thread. Dropping the value does the same on this one, which
    /// takes long for a large file.
    public consuming func discard() async {
        let file = self.file
        // The file is gone either way.
        try? await BlockingWork.run(.write) { () throws(UVError) in try file.temporary.truncate(to: 0) }
    }

    /// Runs a call that changes the file; when it fails, no later one is tried.
    private mutating func run(
        _ lane: BlockingWork.Lane, _ work: @escaping @Sendable () throws(UVError) -> Void
    ) async throws(StoreError) {
        if let failure = self.failure { throw failure }
        do throws(UVError) { try await BlockingWork.run(lane, work) } catch {
            let failure = StoreError(error)
            self.failure = failure
            throw failure
        }
    }
}
