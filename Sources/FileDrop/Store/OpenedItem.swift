public import UVServer

/// What a path led to.
public enum OpenedItem: ~Copyable, Sendable {
    /// A regular file, open for reading, and what it was when it was opened; and, if it was asked for and can be told, whether the path
    /// still leads to that.
    case file(OwnedFile, FileStatus, Freshness?)
    /// A folder, and its path as it is spelled on the disk, with the slash at its end.
    case folder(DropPath)
}
