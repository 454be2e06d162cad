/// Something that happened, told in the kernel's order.
public struct FolderEvent: Hashable, Sendable {
    public enum Kind: Sendable {
        /// In a watched folder: `name` was made there or moved there. It may have replaced another one, of which nothing is told.
        case nameAppeared
        /// In a watched folder: `name` was deleted or moved away.
        case nameVanished
        /// A watched file, or the file `name` in a watched folder, was written to, cut, or closed after writing.
        case contentChanged
        /// Of a watched thing, or of `name` in a watched folder: mode, owner, times or, of a watched file only, the number of its
        /// names. A deleted file that someone has open tells its deletion so.
        case attributesChanged
        /// The watched thing was deleted, moved or unmounted. The last event of its watch.
        case gone
        /// More happened than the kernel keeps, or than can be told in time: anything may have changed. Look anew, and watch anew: it
        /// is the last event of every watch.
        case lost
    }

    public let kind: Kind
    /// Of a child; empty when the event is about the watched thing itself.
    public let name: [UInt8]
    /// The same for both halves of a rename, where both folders are watched; else 0.
    public let cookie: UInt32
    public let isFolder: Bool

    public init(kind: Kind, name: [UInt8] = [], cookie: UInt32 = 0, isFolder: Bool = false) {
        self.kind = kind
        self.name = name
        self.cookie = cookie
        self.isFolder = isFolder
    }
}
