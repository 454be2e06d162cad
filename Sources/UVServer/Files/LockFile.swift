internal import CUV
internal import Glibc

/// A file of which every byte is a lock, shared by all processes that open it, on this machine and, where their file system has locks,
/// on others. The locks of a process go with it.
///
/// The locks belong to this object, not to a thread: its user sees to it that no two threads want the same one. All calls block.
public final class LockFile: Sendable {
    private let file: OwnedFile

    /// Opens the file called `name` in `folder`, and makes it if it is missing.
    public init(_ name: [UInt8], in folder: Folder) throws(UVError) {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
        self.file = OwnedFile(
            owning: try checkErrno(unsafe shim_openat(folder.file.descriptor, cString(name), flags, 0o600), "openat"))
    }

    /// Waits for the lock of the byte at `offset`, which need not exist.
    /// - Returns: `false` where the file system has no locks.
    public func lock(_ offset: Int64) -> Bool {
        while shim_lock_byte(self.file.descriptor, offset, 1) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// What became of a lock that was not waited for.
    public enum Attempt: Sendable {
        case locked
        /// Somebody else has it.
        case held
        /// The file system has no locks.
        case unsupported
    }

    /// Takes the lock of the byte at `offset` if nobody has it.
    public func tryLock(_ offset: Int64) -> Attempt {
        while shim_try_lock_byte(self.file.descriptor, offset) != 0 {
            switch errno {
            case EINTR: continue
            case EAGAIN, EACCES: return .held
            default: return .unsupported
            }
        }
        return .locked
    }

    public func unlock(_ offset: Int64) { _ = shim_lock_byte(self.file.descriptor, offset, 0) }
}
