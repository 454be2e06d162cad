internal import UVServer

/// Where the file of an upload is made.
struct UploadPlace: Sendable {
    let target: TargetFolder
    let lookUp: LookUp
    let names: NameLock
    /// For hidden names, where there are no unnamed files.
    let spare: Folder?
    let allowsUnnamed: Bool
    /// So many bytes of the folder's file system stay free.
    let keptFree: Int64

    /// Makes sure that one more file of `bytes` would fit. Blocks.
    func requireRoom(for bytes: Int64) throws(UVError) {
        try self.target.folder.file.requireRoomForFile()
        try self.target.folder.file.requireRoom(for: bytes, keepingFree: self.keptFree)
    }
}
