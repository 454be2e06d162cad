public import UVServer

/// An upload on its way. What is announced to be small stays in memory until it is whole, and is then written along with others that
/// wait; all else goes into a file without a name as it arrives. It becomes visible by `commit`, once; dropped means gone.
@EventLoop public struct PendingUpload: ~Copyable {
    /// The most that is kept in memory, in bytes.
    static let memoryBytes: Int64 = 64 << 10

    private let place: UploadPlace
    private let durability: Durability
    private let disk: DiskSync
    private let commits: CommitQueue
    /// `nil` while all of it is in memory.
    private var file: UploadFile?
    private var memory: [UInt8] = []
    /// Disk space taken in advance, in bytes.
    private var reservedBytes: Int64 = 0
    private var isSynced = false
    private var failure: StoreError?

    /// What has arrived so far.
    public private(set) var bytesWritten: Int64 = 0

    /// - Parameters:
    ///   - expectedBytes: takes so much disk space at once; `nil` when the size is not known.
    ///   - looksForRoom: what is small takes none, and looks only whether there is some.
    init(
        in place: UploadPlace, expectedBytes: Int64?, looksForRoom: Bool, durability: Durability, disk: DiskSync,
        commits: CommitQueue
    ) async throws(StoreError) {
        self.place = place
        self.durability = durability
        self.disk = disk
        self.commits = commits
        let isSmall = expectedBytes.map { $0 <= Self.memoryBytes } ?? false
        // What stays in memory takes no space before its commit, which looks again.
        if isSmall, !looksForRoom, place.keptFree == 0 { return }
        let reservedBytes = expectedBytes ?? 0
        do throws(UVError) {
            self.file = try await BlockingWork.run(.write) { () throws(UVError) in
                if isSmall { try place.requireRoom(for: reservedBytes) }
                return isSmall ? nil : try UploadFile(in: place, reserving: reservedBytes)
            }
        } catch {
            throw StoreError(error)
        }
        if !isSmall { self.reservedBytes = reservedBytes }
    }

    /// Appends `chunk`. After a failure the upload can only be dropped.
    /// - Throws: `.diskFull` when the disk or a quota is full; `.fileTooLarge`.
    public mutating func write(_ chunk: ByteChunk) async throws(StoreError) {
        let offset = self.bytesWritten
        if let file = self.file {
            try await self.run(.write) { () throws(UVError) in
                try chunk.withSpan { (bytes) throws(UVError) in try file.write(bytes, at: offset) }
            }
        } else {
            chunk.append(to: &self.memory)
            // More than was announced.
            if self.memory.count > Self.memoryBytes { try await self.moveToFile() }
        }
        self.bytesWritten = offset + Int64(chunk.count)
        self.isSynced = false
    }

    private mutating func moveToFile() async throws(StoreError) {
        let (place, bytes) = (self.place, self.memory)
        self.memory = []
        self.file = try await self.run(.write) { () throws(UVError) in
            let file = try UploadFile(in: place)
            try file.write(bytes.span, at: 0)
            return file
        }
    }

    /// Gives back disk space that was taken in advance and has not been written to.
    public mutating func trim() async throws(StoreError) {
        let size = self.bytesWritten
        guard let file = self.file, self.reservedBytes > size else { return }
        try await self.run(.write) { () throws(UVError) in try file.temporary.truncate(to: size) }
        self.reservedBytes = size
    }

    /// Waits until what is in a file is on the disk, as far as the store was told to. `finish` does it when nobody has.
    mutating func sync() async throws(StoreError) {
        guard let file = self.file, !self.isSynced else { return }
        try await self.trim()
        let disk = self.disk
        if let depth = self.durability.depth {
            try await self.run(.sync) { () throws(UVError) in try disk.file(file, depth) }
        }
        self.isSynced = true
    }

    /// The upload, ready to be stored.
    /// - Throws: `.badName` and `.nameTooLong` for a name that no new file may have. The upload is dropped then.
    consuming func finish(as name: DropName, expecting expected: FileStatus? = nil) async throws(StoreError) -> FinishedUpload {
        do throws(StoreError) {
            let name = try self.place.lookUp.newName(name.bytes, in: self.place.target)
            try await self.sync()
            let content = self.file.map { FinishedUpload.Content.file($0) } ?? .memory(self.memory, self.place)
            return FinishedUpload(name: name, expected: expected, size: self.bytesWritten, content: content)
        } catch {
            await self.discard()
            throw error
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
    ///   The upload is dropped then.
    public consuming func commit(
        as name: DropName, onDuplicate policy: DuplicatePolicy, expecting expected: FileStatus? = nil
    ) async throws(StoreError) -> (DropName, replaced: Bool) {
        let commits = self.commits
        let finished = try await self.finish(as: name, expecting: expected)
        let stored = try await commits.store([finished], onDuplicate: policy)
        return (stored[0].name, stored[0].replaced)
    }

    /// Drops the upload and frees its disk space on a pool thread. Dropping the value does the same on this one, which
    /// takes long for a large file.
    public consuming func discard() async {
        guard let file = self.file else { return }
        await BlockingWork.run(.write) { file.free() }
    }

    /// Runs a call that changes the file; when it fails, no later one is tried.
    private mutating func run<Value: Sendable>(
        _ lane: BlockingWork.Lane, _ work: @escaping @Sendable () throws(UVError) -> Value
    ) async throws(StoreError) -> Value {
        if let failure = self.failure { throw failure }
        do throws(UVError) { return try await BlockingWork.run(lane, work) } catch {
            let failure = StoreError(error)
            self.failure = failure
            throw failure
        }
    }
}
