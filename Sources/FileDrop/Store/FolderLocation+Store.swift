internal import UVServer

extension FolderLocation {
    /// Makes sure that the folder is where it was opened: what is stored in it, or deleted, is found, or gone, there.
    func requireHere() throws(StoreError) {
        guard self.look() == .here else { throw .away }
    }
}
