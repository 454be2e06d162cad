internal import UVServer

/// The calls that wait for the disk. Tests put others in their place, to see their order and to let them fail. All block.
struct DiskSync: Sendable {
    /// Waits for one file.
    var file: @Sendable (UploadFile, TemporaryFile.SyncDepth) throws(UVError) -> Void = { (file, depth) throws(UVError) in
        try file.temporary.sync(depth)
    }

    /// Waits for all that was written to the folder's file system, in place of so many files; `false`, and nothing done, where that is
    /// not to be relied on or would take long. An error may be another file's.
    var fileSystem: @Sendable (Folder, _ files: Int) throws(UVError) -> Bool = { (folder, files) throws(UVError) in
        guard Self.kernelTellsFailures else { return false }
        guard files >= Self.manyFiles ? folder.syncsWholeFileSystem : folder.syncsWholeFileSystemFast else { return false }
        guard let waiting = Machine.unwrittenBytes(), waiting <= Self.quietBytes else { return false }
        try folder.syncFileSystem()
        return true
    }

    /// Waits for the names in a folder.
    var folder: @Sendable (Folder) throws(UVError) -> Void = { (folder) throws(UVError) in try folder.sync() }

    /// From so many files on `syncfs` takes their place on all file systems where it can be relied on.
    static let manyFiles = 3

    /// Before, syncfs(2) returned 0 whatever became of the content (5.8) or of the journal (5.17).
    private static let kernelTellsFailures = Machine.hasKernel(5, 17)

    /// `syncfs` waits for what anyone has written, a large upload beside these or another program. Past so many bytes that are
    /// still to be written, on whichever disk, that costs more than syncing each file.
    private static let quietBytes: Int64 = 64 << 20
}
