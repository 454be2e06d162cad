public import UVServer

/// Why the drop folder cannot be served. The description is for the one who started the program.
public enum StoreStartError: Error, Equatable, Sendable, CustomStringConvertible {
    case missing(folder: String)
    case notFolder(String)
    /// A path that leads nowhere from the root on: the working directory has none.
    case relative(String)
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
        case .relative(let folder):
            "\(folder) is relative to a working directory that has gone, or whose path is not UTF-8. Give its absolute path."
        case .notWritable(let folder, let cause):
            "No file can be made in \(folder) (\(cause)). Change its permissions, or serve it read-only."
        case .unreadable(let folder, let cause): "The folder \(folder) cannot be opened (\(cause))."
        case .stateFolder(let folder, let cause):
            "The state folder \(folder) cannot be used (\(cause)). Name another one with --state."
        case .stateIsFolder(let folder): "\(folder) cannot be both the served folder and the state folder."
        }
    }
}
