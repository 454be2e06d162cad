internal import UVServer

/// Where the file of an upload is made.
struct UploadPlace: Sendable {
    let target: TargetFolder
    let lookUp: LookUp
    let names: NameLock
    /// For hidden names, where there are no unnamed files.
    let spare: Folder?
    let allowsUnnamed: Bool
}
