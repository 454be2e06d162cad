internal import Glibc
public import UVServer

/// Why the store did not do what it was asked.
public enum StoreError: Error, Equatable, Sendable {
    /// No such file, or none that may be reached.
    case notFound
    /// A file, where a folder was meant.
    case notFolder
    /// The name belongs to something that may not be replaced.
    case nameTaken
    /// The same, of one of several files.
    case nameOfFileTaken([UInt8])
    case folderNotEmpty
    /// Over 255 bytes, or more than the file system takes.
    case nameTooLong
    /// The name may not be given to a new file; `reason` is a sentence for people.
    case badName(reason: String)
    /// No space, or no quota.
    case diskFull
    /// The file is larger than the file system, or a limit of this process (`ulimit -f`), allows one to be.
    case fileTooLarge
    /// The operating system denies it, or the store or its file system is read-only.
    case forbidden
    /// Too much is under way at once.
    case busy
    /// The drop folder has been removed, renamed or unmounted.
    case away
    /// Another folder has taken the place of the one that was meant.
    case moved
    /// The file is not the one that was to be replaced.
    case changed
    /// Anything else: our fault or the disk's.
    case io(UVError)

    /// What a failed call means for the one who asked.
    init(_ error: UVError) {
        switch -error.code {
        // A link that leads outside is no file of ours.
        case ENOENT, ENOTDIR, ELOOP, EXDEV, EISDIR: self = .notFound
        case EEXIST: self = .nameTaken
        case ENOTEMPTY: self = .folderNotEmpty
        case ENAMETOOLONG: self = .nameTooLong
        case ENOSPC, EDQUOT: self = .diskFull
        case EFBIG: self = .fileTooLarge
        case EBUSY: self = .busy
        case EACCES, EPERM, EROFS: self = .forbidden
        default: self = .io(error)
        }
    }
}
