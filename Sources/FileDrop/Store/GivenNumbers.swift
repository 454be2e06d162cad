internal import UVServer

/// The numbers that files of one batch have got because their names were taken: the next file of the same name looks from there on.
struct GivenNumbers {
    private struct Key: Hashable {
        let folder: FileIdentity
        let name: [UInt8]
    }

    private var last: [Key: Int] = [:]

    /// The last number that was given to `name` in `folder`; `nil` when none was.
    subscript(name: DropName, folder: Folder) -> Int? {
        get { self.last[Key(folder: folder.identity, name: name.bytes)] }
        set { self.last[Key(folder: folder.identity, name: name.bytes)] = newValue }
    }
}
