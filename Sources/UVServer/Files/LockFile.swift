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
    private let name: [UInt8]
    private let folder: Folder
    /// Tells it from another one that has got its name.
    let identity: FileIdentity
    /// What locks are taken by, as long as anyone has or wants one.
    private let holder = PosixMutex(Holder())

    private struct Holder {
        var descriptor: CInt = -1
        var users = 0
        /// Whether the file system is known to have locks.
        var hasLocked = false
    }

    /// Opens the file called `name` in `folder`, and makes it if it is missing.
    public init(_ name: [UInt8], in folder: Folder) throws(UVError) {
        self.file = OwnedFile(owning: try Self.open(name, in: folder, O_RDONLY | O_CREAT))
        self.identity = try self.file.status().identity
        self.name = name
        self.folder = folder
    }

    private static func open(_ name: [UInt8], in folder: Folder, _ flags: CInt) throws(UVError) -> CInt {
        try checkErrno(
            unsafe shim_openat(folder.file.descriptor, cString(name), flags | O_NOFOLLOW | O_CLOEXEC, 0o600), "openat")
    }

    deinit {
        self.holder.withLock { holder in
            if holder.descriptor >= 0 { _ = Glibc.close(holder.descriptor) }
        }
    }

    /// Waits for the lock of the byte at `offset`, which need not exist.
    /// - Returns: `false` where the file system has no locks, or is read-only.
    /// - Throws: when it cannot be told who has the lock, as where no descriptor is free.
    public func lock(_ offset: Int64) throws(UVError) -> Bool {
        switch try self.take(offset, waits: true) {
        case .locked: true
        case .unsupported: false
        // Nobody who waits is told so.
        case .held: throw UVError(code: -EAGAIN, call: "fcntl")
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
    /// - Throws: as `lock`.
    public func tryLock(_ offset: Int64) throws(UVError) -> Attempt { try self.take(offset, waits: false) }

    private func take(_ offset: Int64, waits: Bool) throws(UVError) -> Attempt {
        let descriptor: CInt
        do throws(UVError) { descriptor = try self.use() } catch {
            guard error.code == -EROFS else { throw error }
            return .unsupported
        }
        while (waits ? shim_lock_byte(descriptor, offset, 1) : shim_try_lock_byte(descriptor, offset)) != 0 {
            let code = errno
            if code == EINTR { continue }
            let hasLocked = self.holder.withLock { $0.hasLocked }
            self.endUse()
            if code == EAGAIN || code == EACCES { return .held }
            // One that has locks may say ENOLCK when it has no memory left for one more.
            let isUnsupported = !hasLocked && [EINVAL, ENOLCK, ENOSYS, EOPNOTSUPP].contains(code)
            guard isUnsupported else { throw UVError(code: -code, call: "fcntl") }
            return .unsupported
        }
        self.holder.withLock { $0.hasLocked = true }
        return .locked
    }

    private func use() throws(UVError) -> CInt {
        // The mutex cannot hold a typed throw, so the result comes out as a value.
        try self.holder.withLock { holder in
            Result { () throws(UVError) -> CInt in
                if holder.users == 0 { holder.descriptor = try self.reopen() }
                holder.users += 1
                return holder.descriptor
            }
        }.get()
    }

    private func reopen() throws(UVError) -> CInt {
        let path = "/proc/self/fd/\(self.file.descriptor)"
        let descriptor = unsafe shim_openat(AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0)
        if descriptor >= 0 { return descriptor }
        let code = errno
        guard code == ENOENT || code == ENOTDIR else { throw UVError(code: -code, call: "openat") }
        // Where /proc is not mounted its name has to do, as long as it is still its own.
        let named = OwnedFile(owning: try Self.open(self.name, in: self.folder, O_RDWR))
        guard try named.status().identity == self.file.status().identity else { throw UVError(code: -ESTALE, call: "openat") }
        return named.release()
    }

    private func endUse() {
        self.holder.withLock { holder in
            holder.users -= 1
            guard holder.users == 0 else { return }
            _ = Glibc.close(holder.descriptor)
            holder.descriptor = -1
        }
    }

    /// Gives up a lock that has been taken.
    public func unlock(_ offset: Int64) {
        let descriptor = self.holder.withLock { $0.descriptor }
        _ = shim_lock_byte(descriptor, offset, 0)
        self.endUse()
    }
}
