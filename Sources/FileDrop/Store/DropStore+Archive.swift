internal import Glibc
internal import UVServer

extension DropStore {
    /// What of a folder is asked for.
    struct Selection: Sendable {
        /// The names that lead to it, as they are on disk.
        let elements: [[UInt8]]
        /// Those in it; `nil`: all.
        let names: [[UInt8]]?
        /// The first of them that is not there.
        var missing: DropName?
    }

    /// Finds the folder at `path`, and `names` in it; none for all there are.
    /// - Throws: `.notFound`, `.notFolder`.
    func select(_ names: [DropName], in path: DropPath) async throws(StoreError) -> Selection {
        let lookUp = self.lookUp
        guard lookUp.allows(path) else { throw .notFound }
        do throws(UVError) {
            return try await BlockingWork.run(.open) { () throws(UVError) in
                try lookUp.find(path) { (elements) throws(UVError) in
                    let folder = try lookUp.root.folder(elements)
                    guard !names.isEmpty else { return Selection(elements: elements, names: nil) }
                    var found: [[UInt8]] = []
                    for name in names {
                        guard lookUp.allows(path.appending(name)), let bytes = try LookUp.name(name.bytes, in: folder)?.bytes,
                            let status = try? lookUp.root.status(at: elements + [bytes]),
                            status.kind == .file || status.kind == .folder, !lookUp.root.excluded.contains(status.identity)
                        else { return Selection(elements: elements, names: nil, missing: name) }
                        if !found.contains(bytes) { found.append(bytes) }
                    }
                    return Selection(elements: elements, names: found)
                }
            }
        } catch {
            if error.code == -ENOTDIR { throw .notFolder }
            throw StoreError(error)
        }
    }

    /// Goes through what is selected, and prepares an archive of what is there.
    /// - Parameters:
    ///   - room: what the list of it takes counts there, until the archive is let go of.
    ///   - isStopped: asked again and again on another thread; `true` ends it with any error.
    /// - Throws: `.busy` when the room does not suffice; `.forbidden` when something of it may not be read.
    func archive(
        _ selection: Selection, _ writer: any ArchiveWriter, room: SpoolRoom, isStopped: @escaping @Sendable () -> Bool
    ) async throws(StoreError) -> ArchiveMaker {
        let lookUp = self.lookUp
        let walk = FolderWalk(
            lookUp.root, from: selection.elements, shows: { lookUp.archives($0, inRoot: $1) }, isStopped: isStopped)
        let length = PosixMutex<Int64>(0)
        let plan = try await self.spool(room: room, in: .walk) { (spool) throws(UVError) in
            var sum = ArchiveLength(writer)
            var record: [UInt8] = []
            try walk.run(selection.names) { (item) throws(UVError) in
                let entry = ArchiveEntry(item)
                sum.add(entry)
                record.removeAll(keepingCapacity: true)
                entry.appendRecord(to: &record)
                try spool.append(record)
            }
            sum.finish()
            guard let bytes = sum.bytes else { throw UVError(code: -EFBIG, call: "fstatat") }
            length.withLock { $0 = bytes }
        }
        return ArchiveMaker(
            plan, length: length.withLock { $0 }, writer, root: lookUp.root, start: selection.elements)
    }
}
