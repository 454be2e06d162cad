internal import UVServer

/// A folder that uploads go into: opened once, shared by all files of a form.
public struct UploadFolder: Sendable {
    /// As it was asked for.
    public let path: DropPath
    let folder: Folder
    /// The names from the root to the folder, as they are on disk.
    let elements: [[UInt8]]
}
