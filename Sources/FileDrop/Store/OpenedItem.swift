public import UVServer

/// What a path led to.
public enum OpenedItem: ~Copyable, Sendable {
    /// A regular file, open for reading, and what it was when it was opened.
    case file(OwnedFile, FileStatus)
    case folder
}
