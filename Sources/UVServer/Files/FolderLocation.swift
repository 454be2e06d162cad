internal import CUV
internal import Glibc

/// Where a folder was opened, so that it can be told whether it is still there: it may have been removed, renamed or unmounted since, and
/// what is written into the open folder then is found by nobody. All calls block.
public struct FolderLocation: Sendable {
    public enum Finding: Equatable, Sendable {
        /// The path leads to the folder.
        case here
        /// It leads to another one, which has taken its place.
        case replaced
        /// It leads to no folder, or to the empty place where a file system was mounted.
        case away
    }

    private let path: String
    private let identity: FileIdentity
    private let isMounted: Bool

    /// - Parameter folder: has just been opened by `path`.
    public init(_ path: String, of folder: Folder) {
        self.path = path
        self.identity = folder.identity
        self.isMounted = unsafe shim_is_mount_root(path) != 0
    }

    public func look() -> Finding {
        var raw = stat()
        guard unsafe stat(self.path, &raw) == 0 else { return .away }
        let status = FileStatus(raw)
        guard status.kind == .folder else { return .away }
        if status.identity == self.identity { return .here }
        // What was a disk is not to be taken for the folder beneath it.
        guard self.isMounted else { return .replaced }
        return unsafe shim_is_mount_root(self.path) == 0 ? .away : .replaced
    }
}
