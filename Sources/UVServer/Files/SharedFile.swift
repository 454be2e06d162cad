internal import CUV

/// An open file with several holders, closed when the last one lets go.
public final class SharedFile: Sendable {
    /// From this size on, in bytes, closing looks first whether it would also be the removal of the file.
    private static let largeBytes: Int64 = 1 << 20

    let descriptor: CInt
    private let size: Int64

    /// - Parameter size: of the file, in bytes, as far as is known.
    public init(_ file: consuming OwnedFile, size: Int64) {
        self.size = size
        self.descriptor = file.release()
    }

    /// A second descriptor of the same open file. Whoever closes it last closes the file.
    public func duplicate() throws(UVError) -> OwnedFile {
        OwnedFile(owning: try checkErrno(shim_duplicate(self.descriptor), "fcntl"))
    }

    deinit {
        let file = OwnedFile(owning: self.descriptor)
        // The last descriptor of a file without a name frees its blocks, which takes long for many of them: not on the loop.
        guard self.size >= Self.largeBytes, (try? file.status().links) == 0 else { return }
        let descriptor = file.release()
        EventLoop.spawn { await BlockingWork.run(.open) { _ = OwnedFile(owning: descriptor) } }
    }
}
