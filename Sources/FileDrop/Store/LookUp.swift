internal import Glibc
internal import UVServer

/// Finds things in the drop folder. All calls block.
struct LookUp: Sendable {
    let root: Folder
    let showsHidden: Bool

    /// A look-up that misses tries other spellings only for paths up to here: each element costs several calls.
    private static let deepestRespelled = 64

    /// Whether a route may reach `path` at all.
    func allows(_ path: DropPath) -> Bool {
        !path.isReserved && path.names.allSatisfy { self.shows($0) }
    }

    /// Whether `name` is to be seen. Unfinished files never are.
    func shows(_ name: DropName) -> Bool {
        (self.showsHidden || !name.isHidden) && !HiddenName.matches(name.bytes)
    }

    /// The name that a new file called `bytes` gets in `folder`.
    func newName(_ bytes: [UInt8], in folder: DropPath) throws(StoreError) -> DropName {
        let name = try DropName.forNew(bytes, allowHidden: self.showsHidden)
        guard !(folder.isRoot && (name.isReserved || name.description == DropName.stateFolder)),
            !HiddenName.matches(name.bytes)
        else { throw .badName(reason: "This name is kept for the server itself. Choose another one.") }
        return name
    }

    /// What the folder at `path` shows: folders first, then files, each by the bytes of their names.
    func entries(_ path: DropPath) throws(UVError) -> [DropEntry] {
        try self.find(path) { (elements) throws(UVError) in try self.root.list(elements) }
            .compactMap { DropEntry($0) }
            .filter { self.shows($0.name) }
            .sorted(by: DropEntry.isBefore)
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
