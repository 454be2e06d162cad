internal import UVServer

/// What is on the disk before an upload is answered: data and directory entry, the data, or nothing for certain.
public enum Durability: String, CaseIterable, Sendable {
    case full, data, none

    /// How far a file is synced; `nil` where it is not.
    var depth: TemporaryFile.SyncDepth? {
        switch self {
        case .full: .full
        case .data: .data
        case .none: nil
        }
    }
}
