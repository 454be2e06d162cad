internal import UVServer

/// The name that a file has got.
struct GivenName: Sendable {
    let name: DropName
    /// Whether an older file has gone.
    let replaced: Bool
    /// The folder that the file has moved out of by that, if it was another one.
    let left: Folder?
}
