internal import UVServer

/// A folder in which names are given or taken away: opened once for a request, and shared by all files of a form.
public struct TargetFolder: Sendable {
    /// As it was asked for.
    public let path: DropPath
    let folder: Folder
    /// The names from the root to the folder, as they are on disk.
    let elements: [[UInt8]]
}
