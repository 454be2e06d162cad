/// A folder's index as of one moment, and what has been made of it.
@EventLoop public final class FolderSnapshot {
    public nonisolated let index: FolderIndex
    /// Kept as long as the folder is the same: whoever makes something of the index that takes long leaves it here.
    public var made: [AnyHashable: any AnyObject & Sendable]

    init(_ index: FolderIndex, made: [AnyHashable: any AnyObject & Sendable] = [:]) {
        self.index = index
        self.made = made
    }
}
