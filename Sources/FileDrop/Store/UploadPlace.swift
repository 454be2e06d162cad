internal import UVServer

/// Where the file of an upload is made.
struct UploadPlace: Sendable {
    let target: TargetFolder
    let lookUp: LookUp
    let names: NameLock
    /// For hidden names, where there are no unnamed files.
    let spare: Folder?
    let allowsUnnamed: Bool

    /// Makes an empty file. Blocks.
    /// - Parameter reservedBytes: disk space that is taken at once.
    func makeFile(reserving reservedBytes: Int64 = 0) throws(UVError) -> UploadFile {
        let file = try UploadFile(in: self)
        try file.temporary.reserve(reservedBytes)
        return file
    }
}
