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
    private let usesStatx: Bool
    private let isMounted: Bool

    /// - Parameters:
    ///   - folder: has just been opened by `path`.
    ///   - usesStatx: `false` tells mounted folders as on kernels that do not say.
    public init(_ path: String, of folder: Folder, usesStatx: Bool = true) {
        self.path = path
        self.identity = folder.identity
        self.usesStatx = usesStatx
        self.isMounted = Self.isMountRoot(path, usesStatx: usesStatx)
    }

    public func look() -> Finding {
        var raw = stat()
        guard unsafe stat(self.path, &raw) == 0 else { return .away }
        let status = FileStatus(raw)
        guard status.kind == .folder else { return .away }
        if status.identity == self.identity { return .here }
        // What was a disk is not to be taken for the folder beneath it.
        guard self.isMounted else { return .replaced }
        return Self.isMountRoot(self.path, usesStatx: self.usesStatx) ? .replaced : .away
    }

    /// Where the kernel does not tell, what is on another device than the folder above is mounted. So a folder of the same file system
    /// that is mounted there (`mount --bind`) is not seen as one.
    private static func isMountRoot(_ path: String, usesStatx: Bool) -> Bool {
        let told = unsafe usesStatx ? shim_is_mount_root(path) : -1
        guard told < 0 else { return told != 0 }
        var (own, above) = (stat(), stat())
        guard unsafe stat(path, &own) == 0, unsafe stat("\(path)/..", &above) == 0 else { return false }
        // The root is above itself.
        return own.st_dev != above.st_dev || own.st_ino == above.st_ino
    }
}
