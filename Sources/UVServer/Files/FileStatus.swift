internal import Glibc

/// What makes a file the same file, whatever it is called: compared to recognise, never shown.
public struct FileIdentity: Hashable, Sendable {
    public let device: UInt64
    public let inode: UInt64

    public init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// What `stat` tells about a file, as far as we use it.
public struct FileStatus: Hashable, Sendable {
    public enum Kind: Sendable {
        case file, folder, symlink
        /// A pipe, a socket or a device.
        case other
    }

    public let kind: Kind
    /// In bytes.
    public let size: Int64
    /// Since 1970, UTC; negative before.
    public let modifiedSeconds: Int64
    /// 0 to 999,999,999, to be added to the seconds.
    public let modifiedNanoseconds: Int
    public let device: UInt64
    public let inode: UInt64
    /// Read, write and execute, for owner, group and others: nine bits.
    public let permissions: UInt16
    /// How many names the file has: 0 once the last one is removed.
    let links: UInt64

    public var identity: FileIdentity { FileIdentity(device: self.device, inode: self.inode) }

    init(_ raw: stat) {
        switch raw.st_mode & S_IFMT {
        case S_IFREG: self.kind = .file
        case S_IFDIR: self.kind = .folder
        case S_IFLNK: self.kind = .symlink
        default: self.kind = .other
        }
        self.size = Int64(raw.st_size)
        self.modifiedSeconds = Int64(raw.st_mtim.tv_sec)
        self.modifiedNanoseconds = Int(raw.st_mtim.tv_nsec)
        self.device = UInt64(raw.st_dev)
        self.inode = UInt64(raw.st_ino)
        self.permissions = UInt16(truncatingIfNeeded: raw.st_mode & 0o777)
        self.links = UInt64(raw.st_nlink)
    }
}
