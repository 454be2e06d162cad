internal import UVServer

/// Syncs folders for many uploads at once: one fsync covers every name that was given before it began.
@EventLoop final class FolderSync {
    /// A folder is known by identity, not by the descriptor.
    private let syncs = Coalescer<FileIdentity, Result<Void, UVError>>()

    /// Returns once every name that `folder` had at the call is on the disk.
    func sync(_ folder: Folder) async throws(UVError) {
        try await self.syncs.value(for: folder.identity) {
            do throws(UVError) {
                try await BlockingWork.run(.sync) { () throws(UVError) in try folder.sync() }
                return .success(())
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
