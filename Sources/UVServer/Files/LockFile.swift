internal import CUV
internal import Glibc

/// A file of which every byte is a lock, shared by all processes that open it, on this machine and, where their file system has locks,
/// on others. The locks of a process go with it.
///
/// The locks belong to this object, not to a thread: its user sees to it that no two threads want the same one. All calls block.
public final class LockFile: Sendable {
    /// Finds the file again, also when it has lost its name. Not open for writing: that would keep its file system from being remounted
    /// read-only.
    private let file: OwnedFile
    /// Tells it from another one that has got its name.
    let identity: FileIdentity
    /// What locks are taken by, as long as anyone has or wants one.
    private let holder = PosixMutex(Holder())

    private struct Holder {
        var descriptor: CInt = -1
        var users = 0
    }

    /// Opens the file called `name` in `folder`, and makes it if it is missing.
    public init(_ name: [UInt8], in folder: Folder) throws(UVError) {
        let flags = O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC
        let file = OwnedFile(
            owning: try checkErrno(unsafe shim_openat(folder.file.descriptor, cString(name), flags, 0o600), "openat"))
        self.identity = try file.status().identity
        self.file = file
    }

    deinit {
        self.holder.withLock { holder in
            if holder.descriptor >= 0 { _ = Glibc.close(holder.descriptor) }
        }
    }

    /// Waits for the lock of the byte at `offset`, which need not exist.
    /// - Returns: `false` where the file system has no locks, or is read-only.
    public func lock(_ offset: Int64) -> Bool {
        guard let descriptor = self.use() else { return false }
        while shim_lock_byte(descriptor, offset, 1) != 0 {
            guard errno != EINTR else { continue }
            self.endUse()
            return false
        }
        return true
    }

    private func use() -> CInt? {
        self.holder.withLock { holder in
            if holder.users == 0 {
                let path = "/proc/self/fd/\(self.file.descriptor)"
                holder.descriptor = unsafe shim_openat(AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0)
                guard holder.descriptor >= 0 else { return nil }
            }
            holder.users += 1
            return holder.descriptor
        }
    }

    private func endUse() {
        self.holder.withLock { holder in
            holder.users -= 1
            guard holder.users == 0 else { return }
            _ = Glibc.close(holder.descriptor)
            holder.descriptor = -1
        }
    }

    /// What became of a lock that was not waited for.
    public enum Attempt: Sendable {
        case locked
        /// Somebody else has it.
        case held
        /// The file system has no locks, or is read-only.
        case unsupported
    }

    /// Takes the lock of the byte at `offset` if nobody has it.
    public func tryLock(_ offset: Int64) -> Attempt {
        guard let descriptor = self.use() else { return .unsupported }
        while shim_try_lock_byte(descriptor, offset) != 0 {
            let code = errno
            if code == EINTR { continue }
            self.endUse()
            return code == EAGAIN || code == EACCES ? .held : .unsupported
        }
        return .locked
    }

    /// Gives up a lock that has been taken.
    public func unlock(_ offset: Int64) {
        let descriptor = self.holder.withLock { $0.descriptor }
        _ = shim_lock_byte(descriptor, offset, 0)
        self.endUse()
    }
}
