internal import UVServer

/// An upload that has arrived whole and waits for its name.
struct FinishedUpload: Sendable {
    enum Content: Sendable {
        /// Small, and nowhere but in memory.
        case memory([UInt8], UploadPlace)
        /// Written, and synced as far as it has to be.
        case file(UploadFile)
    }

    let name: DropName
    /// What is to be replaced, and nothing else.
    let expected: FileStatus?
    /// In bytes.
    let size: Int64
    let content: Content

    /// The device that it is on.
    var device: UInt64 {
        switch self.content {
        case .memory(_, let place): place.target.folder.identity.device
        case .file(let file): file.folder.identity.device
        }
    }

    /// Gives back its disk space, when it will not be stored. Blocks.
    func free() {
        if case .file(let file) = self.content { file.free() }
    }

    /// Drops uploads that will not be stored, and frees their disk space on a pool thread.
    @EventLoop static func discard(_ uploads: [FinishedUpload]) async {
        guard !uploads.isEmpty else { return }
        await BlockingWork.run(.write) { for upload in uploads { upload.free() } }
    }
}

/// A file that has its name, as durably as the store was told to.
struct StoredUpload: Sendable {
    /// The name it has got.
    let name: DropName
    /// Whether an older file has gone.
    let replaced: Bool
    /// In bytes.
    let size: Int64
}
