public import UVServer

/// An upload on its way: bytes in a file without a name. It becomes visible by `commit`, once; dropped means gone.
@EventLoop public struct PendingUpload: ~Copyable {
    private let file: UploadFile
    private let path: DropPath
    private let showsHidden: Bool
    private let durability: Durability
    private let folderSync: FolderSync
    /// Disk space taken in advance, in bytes.
    private let reservedBytes: Int64
    private var failure: StoreError?

    /// What has been written so far.
    public private(set) var bytesWritten: Int64 = 0

    init(
        file: UploadFile, path: DropPath, reservedBytes: Int64, showsHidden: Bool, durability: Durability,
        folderSync: FolderSync
    ) {
        self.file = file
        self.path = path
        self.reservedBytes = reservedBytes
        self.showsHidden = showsHidden
        self.durability = durability
        self.folderSync = folderSync
    }

    /// Appends `chunk`. After a failure the upload can only be dropped.
    /// - Throws: `.diskFull` when the disk or a quota is full.
    public mutating func write(_ chunk: ByteChunk) async throws(StoreError) {
        if let failure = self.failure { throw failure }
        let (file, offset) = (self.file, self.bytesWritten)
        do throws(UVError) {
            try await BlockingWork.run(.write) { () throws(UVError) in
                try chunk.withSpan { (bytes) throws(UVError) in try file.temporary.file.write(bytes, at: offset) }
            }
            self.bytesWritten += Int64(chunk.count)
        } catch {
            let failure = StoreError(error)
            self.failure = failure
            throw failure
        }
    }

    /// Makes the upload visible, as durably as the store was told to.
    ///
    /// Nothing is ever replaced unless `policy` is `.overwrite` or `expected` is given.
    /// - Parameter expected: replaces this very file and no other, whatever the policy. Best effort: who changes the file
    ///   between the last look and the rename is not noticed.
    /// - Returns: the name it has got, and whether an older file has gone.
    /// - Throws: `.nameTaken` by the policy, or for a folder of that name; `.changed` when the file is not the expected
    ///   one; `.badName` and `.nameTooLong` for a name that no new file may have; `.notFound` when the folder is gone.
    public consuming func commit(
        as name: DropName, onDuplicate policy: DuplicatePolicy, expecting expected: FileStatus? = nil
    ) async throws(StoreError) -> (DropName, replaced: Bool) {
        if let failure = self.failure { throw failure }
        let name = try Self.newName(name.bytes, in: self.path, allowHidden: self.showsHidden)
        let (file, durability, size) = (self.file, self.durability, self.bytesWritten)
        let isOverReserved = self.reservedBytes > size
        do throws(UVError) {
            try await BlockingWork.run(.sync) { () throws(UVError) in
                if isOverReserved { try file.temporary.truncate(to: size) }
                switch durability {
                case .full: try file.temporary.sync(.full)
                case .data: try file.temporary.sync(.data)
                case .none: break
                }
            }
        } catch {
            await Self.discard(file)
            throw StoreError(error)
        }
        let published: (DropName, replaced: Bool)
        do throws(StoreError) {
            published = try await BlockingWork.run(.open) { () throws(StoreError) in
                try file.publish(as: name, onDuplicate: policy, expecting: expected)
            }
        } catch {
            await Self.discard(file)
            throw error
        }
        guard durability == .full else { return published }
        do throws(UVError) {
            try await self.folderSync.sync(file.folder)
        } catch {
            // Not acknowledged, so it must not stay. What it replaced cannot come back.
            if !published.replaced {
                try? await BlockingWork.run(.open) { () throws(UVError) in try file.withdraw(published.0) }
            }
            throw StoreError(error)
        }
        return published
    }

    /// Drops the upload and frees its disk space on a pool thread. Dropping the value does the same on this one, which
    /// takes long for a large file.
    public consuming func discard() async {
        await Self.discard(self.file)
    }

    private static func discard(_ file: UploadFile) async {
        // The file is gone either way.
        try? await BlockingWork.run(.write) { () throws(UVError) in try file.temporary.truncate(to: 0) }
    }

    /// The name that a new file in `folder` gets.
    static func newName(_ bytes: [UInt8], in folder: DropPath, allowHidden: Bool) throws(StoreError) -> DropName {
        let name = try DropName.forNew(bytes, allowHidden: allowHidden)
        guard !(folder.isRoot && (name.isReserved || name.bytes == Array(DropStore.stateName.utf8))),
            !HiddenName.matches(name.bytes)
        else { throw .badName(reason: "This name is kept for the server itself. Choose another one.") }
        return name
    }
}
