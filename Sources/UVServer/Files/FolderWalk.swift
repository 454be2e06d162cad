internal import Glibc

/// Goes through a folder and all that lies below it, in the order of its lists. All calls block.
///
/// It goes into folders and never through links to folders, which may lead into themselves; links to files are those files. Left out is
/// what is left out of indexes.
public struct FolderWalk: Sendable {
    /// A file or folder, as it was when it was come across.
    public struct Item: Sendable {
        /// From where the walk began, with a slash between names.
        public let path: [UInt8]
        public let isFolder: Bool
        /// In bytes; 0 for a folder.
        public let size: Int64
        /// Since 1970, UTC; negative before.
        public let modifiedSeconds: Int64
        /// 0 to 999,999,999, to be added to the seconds.
        public let modifiedNanoseconds: Int
        /// Nine bits.
        public let permissions: UInt16
        public let inode: UInt64
    }

    private let root: Folder
    private let start: [[UInt8]]
    private let shows: @Sendable (_ name: Span<UInt8>, _ isInRoot: Bool) -> Bool
    private let isStopped: @Sendable () -> Bool

    /// - Parameters:
    ///   - root: what symlinks have to stay beneath.
    ///   - start: the names that lead from there to the folder where it begins.
    ///   - shows: which names are come across, in the root and below.
    ///   - isStopped: asked again and again; `true` ends the walk with `ECANCELED`.
    public init(
        _ root: Folder, from start: [[UInt8]], shows: @escaping @Sendable (_ name: Span<UInt8>, _ isInRoot: Bool) -> Bool,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.root = root
        self.start = start
        self.shows = shows
        self.isStopped = isStopped
    }

    /// Calls `body` with all there is: a folder before what is in it. What vanishes meanwhile is left out.
    /// - Parameter names: of what is in the first folder only these, and what is in them; a link to a folder is gone through then.
    /// - Throws: `EACCES` for what may not be read, `ENAMETOOLONG` for what lies deeper than a path is long, `ENOENT` when one of `names` is missing or is left out of indexes; as `body`.
    public func run(_ names: [[UInt8]]? = nil, _ body: (Item) throws(UVError) -> Void) throws(UVError) {
        // The next one is the last.
        var pending: [[UInt8]] = []
        if let names {
            let folder = try self.root.folder(self.start)
            for name in names {
                guard let facts = unsafe folder.facts(cString(name), 0, self.start, beneath: self.root).facts else {
                    throw UVError(code: -ENOENT, call: "fstatat")
                }
                try self.visit(name, FolderIndex.Element(name: name[...], facts), in: folder, body)
                if facts.isFolder { pending.append(name) }
            }
            pending.reverse()
        } else {
            pending = [[]]
        }
        while let path = pending.popLast() {
            let elements = self.start + path.split(separator: UInt8(ascii: "/")).map { [UInt8]($0) }
            guard let folder = try self.present({ () throws(UVError) in try self.root.folder(elements) }, unless: path.isEmpty)
            else { continue }
            let index = try folder.index(elements, beneath: self.root) { self.shows($0, elements.isEmpty) }
            let first = pending.count
            for entry in index where !(entry.isLink && entry.isFolder) {
                let inner = path + (path.isEmpty ? [] : [UInt8(ascii: "/")]) + entry.name
                try self.visit(inner, entry, in: folder, body)
                if entry.isFolder { pending.append(inner) }
            }
            pending[first...].reverse()
        }
    }

    private func visit(
        _ path: [UInt8], _ entry: FolderIndex.Element, in folder: Folder, _ body: (Item) throws(UVError) -> Void
    ) throws(UVError) {
        guard !self.isStopped() else { throw UVError(code: -ECANCELED, call: "getdents64") }
        // Told now, in words, rather than in the middle of what is made of it.
        let length = self.start.reduce(path.count) { $0 + $1.count + 1 }
        guard length < Int(PATH_MAX) else { throw UVError(code: -ENAMETOOLONG, call: "openat2") }
        let rights = entry.isFolder ? R_OK | X_OK : R_OK
        guard unsafe faccessat(folder.file.descriptor, cString([UInt8](entry.name)), rights, 0) == 0 else {
            let code = errno
            if code == ENOENT { return }
            throw UVError(code: -code, call: "faccessat")
        }
        try body(
            Item(
                path: path, isFolder: entry.isFolder, size: entry.size, modifiedSeconds: entry.modifiedSeconds,
                modifiedNanoseconds: entry.modifiedNanoseconds, permissions: entry.permissions, inode: entry.inode))
    }

    /// `nil` for what has vanished since it was come across.
    private func present(_ open: () throws(UVError) -> Folder, unless isFirst: Bool) throws(UVError) -> Folder? {
        do throws(UVError) { return try open() } catch {
            guard !isFirst, error.code == -ENOENT || error.code == -ENOTDIR else { throw error }
            return nil
        }
    }
}
