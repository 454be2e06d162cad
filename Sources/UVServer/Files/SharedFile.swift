internal import CUV
internal import Glibc

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

    /// What `fstat` says now.
    public func status() throws(UVError) -> FileStatus {
        var raw = stat()
        try checkErrno(unsafe fstat(self.descriptor, &raw), "fstat")
        return FileStatus(raw)
    }

    /// Reads what one call gives, `count` bytes at most. Blocks.
    /// - Returns: nothing at the file's end.
    public func read(_ count: Int, at offset: Int64) throws(UVError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let read = unsafe pread(self.descriptor, &bytes, count, off_t(offset))
            if read >= 0 {
                bytes.removeLast(count - read)
                return bytes
            }
            guard errno == EINTR else { throw .last("pread") }
        }
    }

    deinit {
        let file = OwnedFile(owning: self.descriptor)
        // The last descriptor of a file without a name frees its blocks, which takes long for many of them: not on the loop.
        guard self.size >= Self.largeBytes, (try? file.status().links) == 0 else { return }
        let descriptor = file.release()
        EventLoop.spawn { await BlockingWork.run(.open) { _ = OwnedFile(owning: descriptor) } }
    }
}
