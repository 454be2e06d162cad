internal import UVServer

/// A file that has its name, and that a power cut may still take until it is settled.
@EventLoop struct PublishedUpload {
    /// The name it has got.
    let name: DropName
    /// Whether an older file has gone.
    let replaced: Bool
    /// In bytes.
    let size: Int64
    let file: UploadFile
    /// `nil` where names need not be durable.
    let folderSync: FolderSync?

    /// Waits until its name is on the disk, and with it every name that the folder had at the call.
    func settle() async throws(StoreError) {
        do throws(UVError) { try await self.folderSync?.sync(self.file.folder) } catch { throw StoreError(error) }
    }

    /// Takes the name back: what is not acknowledged must not stay. What it replaced cannot come back, so then it stays.
    func withdraw() async {
        guard !self.replaced else { return }
        let (file, name) = (self.file, self.name)
        // The answer is a failure either way.
        try? await BlockingWork.run(.link) { () throws(StoreError) in try file.withdraw(name) }
    }
}
