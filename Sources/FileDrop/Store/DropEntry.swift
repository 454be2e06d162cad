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
    init?(_ entry: FolderEntry) {
        guard let name = DropName(entry.name) else { return nil }
        let isFolder = entry.status.kind == .folder
        self.init(
            name: name, isFolder: isFolder, size: isFolder ? 0 : entry.status.size,
            modifiedSeconds: entry.status.modifiedSeconds, modifiedNanoseconds: entry.status.modifiedNanoseconds)
    }

    /// Folders first, then by the bytes of the name.
    static func isBefore(_ one: DropEntry, _ other: DropEntry) -> Bool {
        if one.isFolder != other.isFolder { return one.isFolder }
        return one.name.bytes.lexicographicallyPrecedes(other.name.bytes)
    }
}
