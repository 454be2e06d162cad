internal import UVServer

/// One line of a folder's list.
public struct DropEntry: Hashable, Sendable {
    public let name: DropName
    public let isFolder: Bool
    /// In bytes; 0 for a folder.
    public let size: Int64
    /// Since 1970, UTC.
    public let modifiedSeconds: Int64
    public let modifiedNanoseconds: Int

    public init(name: DropName, isFolder: Bool, size: Int64, modifiedSeconds: Int64, modifiedNanoseconds: Int) {
        self.name = name
        self.isFolder = isFolder
        self.size = size
        self.modifiedSeconds = modifiedSeconds
        self.modifiedNanoseconds = modifiedNanoseconds
    }

    /// `nil` when the name is none.
    init?(_ entry: FolderIndex.Element) {
        guard let name = DropName(entry.name) else { return nil }
        self.init(
            name: name, isFolder: entry.isFolder, size: entry.size, modifiedSeconds: entry.modifiedSeconds,
            modifiedNanoseconds: entry.modifiedNanoseconds)
    }
}
