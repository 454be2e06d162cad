internal import CUV
internal import Glibc

/// Where a lock file is found by all processes that share it. When somebody removes it, or the folder it is in, those that have it open and
/// those that make it anew would lock different files. So who has taken a lock looks whether the path still leads to that file, and opens,
/// or makes, the one that it leads to. All calls block.
public final class LockPlace: Sendable {
    /// What became of a lock that was not waited for.
    public enum Attempt: Sendable {
        case locked(LockFile)
        /// Somebody else has it.
        case held
        /// The file system has no locks, or is read-only.
        case unsupported
    }

    private let name: [UInt8]
    private let folder: String
    private let followsLink: Bool
    private let isInPlace: @Sendable () -> Bool
    private let file: PosixMutex<LockFile>

    /// A file that is replaced more often than this while we look at it is not chased any longer.
    private static let tries = 8

    /// Opens the file, and makes it if it is missing. The folder has to exist.
    /// - Parameters:
    ///   - followsLink: whether the folder's own path may be a link to it.
    ///   - isInPlace: whether what the path begins with is still what it was; nothing is made there otherwise.
    public init(
        _ name: [UInt8], in folder: String, followsLink: Bool, isInPlace: @escaping @Sendable () -> Bool
    ) throws(UVError) {
        self.name = name
        self.folder = folder
        self.followsLink = followsLink
        self.isInPlace = isInPlace
        self.file = PosixMutex(try LockFile(name, in: try Folder(path: folder, followsLink: followsLink)))
    }

    /// Waits for the lock of the byte at `offset`.
    /// - Returns: the file in which it has been taken, to give it back there; `nil` where the file system has no locks, or is read-only.
    /// - Throws: when it cannot be told who has the lock, as where no descriptor is free.
    public func lock(_ offset: Int64) throws(UVError) -> LockFile? {
        for _ in 1..<Self.tries {
            let file = self.file.withLock { $0 }
            guard try file.lock(offset) else { return nil }
            guard try self.isReplaced(file, with: offset) else { return file }
            file.unlock(offset)
        }
        let file = self.file.withLock { $0 }
        return try file.lock(offset) ? file : nil
    }

    /// Takes the lock of the byte at `offset` if nobody has it.
    /// - Throws: as `lock`.
    public func tryLock(_ offset: Int64) throws(UVError) -> Attempt {
        for _ in 0..<Self.tries {
            let file = self.file.withLock { $0 }
            switch try file.tryLock(offset) {
            case .unsupported: return .unsupported
            case .held: return .held
            case .locked: break
            }
            guard try self.isReplaced(file, with: offset) else { return .locked(file) }
            file.unlock(offset)
        }
        return .held
    }

    /// Whether there is another file at the place now, which is open from here on.
    /// - Parameter offset: locked in `file`, and given back when this throws.
    private func isReplaced(_ file: LockFile, with offset: Int64) throws(UVError) -> Bool {
        var raw = stat()
        let path = "\(self.folder)/\(String(decoding: self.name, as: UTF8.self))"
        if unsafe lstat(path, &raw) == 0, FileStatus(raw).identity == file.identity { return false }
        guard self.isInPlace() else { return false }
        do throws(UVError) {
            try Folder.make(path: self.folder, mode: 0o700)
            let now = try LockFile(self.name, in: try Folder(path: self.folder, followsLink: self.followsLink))
            guard now.identity != file.identity else { return false }
            self.file.withLock { $0 = now }
            return true
        } catch {
            // Where none can be made, the old one still serves those who have it. What was only not to be found out is another matter.
            guard [-EMFILE, -ENFILE, -ENOMEM, -EIO].contains(error.code) else { return false }
            file.unlock(offset)
            throw error
        }
    }
}
