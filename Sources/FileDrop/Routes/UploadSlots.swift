internal import UVServer

/// How many files forms may hold open at once beside the one that every answer has room for. All forms share them, so that no
/// number of them takes the descriptors that others need.
@EventLoop final class UploadSlots {
    private var free: Int

    init(_ count: Int) { self.free = count }

    /// - Throws: `.busy`: 503.
    func take() throws(FileDropError) {
        guard self.free > 0 else { throw .busy }
        self.free -= 1
    }

    func giveBack(_ count: Int) { self.free += count }
}
