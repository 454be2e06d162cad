internal import Glibc
public import UVServer

/// Why the store did not do what it was asked.
public enum StoreError: Error, Equatable, Sendable {
    /// No such file, or none that may be reached.
    case notFound
    /// A folder, where a file was meant.
    case isFolder
    /// A file, where a folder was meant.
    case notFolder
    /// The name belongs to something that may not be replaced.
    case nameTaken
    case folderNotEmpty
    /// Over 255 bytes, or more than the file system takes.
    case nameTooLong
    /// The name may not be given to a new file; `reason` is a sentence for people.
    case badName(reason: String)
    /// No space, no quota, or a file larger than the file system can hold.
    case diskFull
    /// The operating system denies it, or the store is read-only.
    case forbidden
    case readOnlyFileSystem
    /// The file is not the one that was to be replaced.
    case changed
    /// Anything else: our fault or the disk's.
    case io(UVError)

    /// What a failed call means for the one who asked.
    init(_ error: UVError) {
        switch -error.code {
        // A link that leads outside is no file of ours.
        case ENOENT, ENOTDIR, ELOOP, EXDEV: self = .notFound
        case EISDIR: self = .isFolder
        case EEXIST: self = .nameTaken
        case ENOTEMPTY: self = .folderNotEmpty
        case ENAMETOOLONG: self = .nameTooLong
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull
        case EACCES, EPERM: self = .forbidden
        case EROFS: self = .readOnlyFileSystem
        default: self = .io(error)
        }
    }
}

/// Why the drop folder cannot be served. The description is for the one who started the program.
public enum StoreStartError: Error, Equatable, Sendable, CustomStringConvertible {
    case missing(folder: String)
    case notFolder(String)
    /// A file could not be made in it; `cause` says why.
    case notWritable(folder: String, cause: UVError)
    /// It exists but cannot be opened.
    case unreadable(folder: String, cause: UVError)
    /// The folder for the program's own files cannot be made or opened.
    case stateFolder(String, cause: UVError)
    /// The drop folder cannot be its own state folder.
    case stateIsFolder(String)

    public var description: String {
        switch self {
        case .missing(let folder): "There is no folder \(folder). Make it first, or name another one."
        case .notFolder(let folder): "\(folder) is not a folder."
        case .notWritable(let folder, let cause):
            "No file can be made in \(folder) (\(cause)). Change its permissions, or serve it read-only."
        case .unreadable(let folder, let cause): "The folder \(folder) cannot be opened (\(cause))."
        case .stateFolder(let folder, let cause):
            "The state folder \(folder) cannot be used (\(cause)). Name another one with --state."
        case .stateIsFolder(let folder): "\(folder) cannot be both the served folder and the state folder."
        }
    }
}
