internal import Glibc
internal import UVServer

/// Finds things in the drop folder. All calls block.
struct LookUp: Sendable {
    let root: Folder
    let location: FolderLocation
    let showsHidden: Bool

    /// A look-up that misses tries other spellings only for paths up to here: each element costs several calls.
    private static let deepestRespelled = 64

    /// Makes sure that the path of `folder` still leads to it, and the drop folder is where it was opened: what is stored in it, or deleted,
    /// is found, or gone, there.
    /// - Throws: `.away`; `.notFound` when the path leads to nothing; `.moved` when it leads to another folder.
    func requireInPlace(_ folder: TargetFolder) throws(StoreError) {
        try self.location.requireHere()
        guard !folder.elements.isEmpty else { return }
        let found: FileStatus
        do throws(UVError) { found = try self.root.status(at: folder.elements) } catch { throw StoreError(error) }
        guard found.identity == folder.folder.identity else { throw .moved }
    }

    /// Whether a route may reach `path` at all.
    func allows(_ path: DropPath) -> Bool {
        !path.isReserved && path.names.first?.isStateFolder != true && path.names.allSatisfy { self.shows($0) }
    }

    /// Whether `name` is to be seen. Unfinished files never are.
    func shows(_ name: DropName) -> Bool {
        (self.showsHidden || !name.isHidden) && !HiddenName.matches(name.bytes)
    }

    /// Whether the list of a folder shows what is called `name` in it.
    func lists(_ name: Span<UInt8>, inRoot: Bool) -> Bool {
        guard name.count > 0, name[0] == UInt8(ascii: ".") else { return true }
        guard let name = DropName(name.indices.map { name[$0] }) else { return false }
        return self.shows(name) && !(inRoot && name.isStateFolder)
    }

    /// Whether an archive of a folder has what is called `name` in it: what no address leads to is in none.
    func archives(_ name: Span<UInt8>, inRoot: Bool) -> Bool {
        guard self.lists(name, inRoot: inRoot) else { return false }
        return !inRoot || name.count > "delete".utf8.count || DropName(name.indices.map { name[$0] })?.isReserved != true
    }

    /// The name that a new file called `bytes` gets in `folder`.
    func newName(_ bytes: [UInt8], in folder: TargetFolder) throws(StoreError) -> DropName {
        let name = try DropName.forNew(bytes, allowHidden: self.showsHidden)
        let isRoot = folder.folder.identity == self.root.identity
        guard !(isRoot && (name.isReserved || name.isStateFolder)), !HiddenName.matches(name.bytes) else {
            throw .badName(reason: "This name is kept for the server itself. Choose another one.")
        }
        return name
    }

    /// What a link in `folder` leads to, if that is inside.
    func target(of link: [UInt8], in folder: TargetFolder) -> FileStatus? {
        try? self.root.status(at: folder.elements + [link])
    }

    /// Whether what is found under a name is the file that `expected` was taken of. Of a link the file behind it counts: that is what
    /// a download of it has sent.
    func isStill(_ expected: FileStatus, _ found: (bytes: [UInt8], status: FileStatus), in folder: TargetFolder) -> Bool {
        let status = found.status.kind == .symlink ? self.target(of: found.bytes, in: folder) : found.status
        guard let status else { return false }
        return status.kind == .file && status.identity == expected.identity && status.size == expected.size
            && status.modifiedSeconds == expected.modifiedSeconds && status.modifiedNanoseconds == expected.modifiedNanoseconds
    }

    /// Calls `body` with the path's names, and again with their other normal form where those are not found.
    func find<Value: ~Copyable>(
        _ path: DropPath, _ body: ([[UInt8]]) throws(UVError) -> Value
    ) throws(UVError) -> Value {
        do throws(UVError) {
            return try body(path.elements)
        } catch {
            guard error.code == -ENOENT, let respelled = self.otherSpelling(path.elements) else { throw error }
            return try body(respelled)
        }
    }

    /// The name that `bytes` has in `folder`, in whichever normal form, and what it is; `nil` when it is free.
    static func name(_ bytes: [UInt8], in folder: Folder) throws(UVError) -> (bytes: [UInt8], status: FileStatus)? {
        if let status = try folder.status(of: bytes) { return (bytes, status) }
        for other in Normalization.alternatives(bytes) where other.count <= DropName.longest {
            if let status = try folder.status(of: other) { return (other, status) }
        }
        return nil
    }

    /// Removes `name` from `folder`: a folder only when it is empty, of a link the link itself.
    func remove(
        _ name: DropName, from folder: TargetFolder, isFolder: Bool, expecting expected: FileStatus?
    ) throws(StoreError) {
        try self.requireInPlace(folder)
        do throws(UVError) {
            guard let found = try Self.name(name.bytes, in: folder.folder), !self.root.excluded.contains(found.status.identity)
            else { throw UVError(code: -ENOENT, call: "fstatat") }
            if let expected, !self.isStill(expected, found, in: folder) { throw UVError(code: -ESTALE, call: "fstatat") }
            switch found.status.kind {
            case .folder: try folder.folder.removeFolder(found.bytes)
            case .symlink: try folder.folder.removeFile(found.bytes)
            case .file where !isFolder: try folder.folder.removeFile(found.bytes)
            case .file, .other: throw UVError(code: -ENOENT, call: "unlinkat")
            }
        } catch {
            throw error.code == -ESTALE && expected != nil ? .changed : StoreError(error)
        }
    }

    private func otherSpelling(_ elements: [[UInt8]]) -> [[UInt8]]? {
        guard elements.count <= Self.deepestRespelled, elements.contains(where: { $0.contains { $0 >= 0x80 } }) else {
            return nil
        }
        var found: [[UInt8]] = []
        for element in elements {
            // Whatever keeps a spelling from being looked at, it is not the one that is meant.
            let spellings = [element] + Normalization.alternatives(element)
            guard let spelling = spellings.first(where: { (try? self.root.status(at: found + [$0])) != nil }) else {
                return nil
            }
            found.append(spelling)
        }
        return found == elements ? nil : found
    }
}
