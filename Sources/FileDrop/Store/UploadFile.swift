internal import Glibc
internal import UVServer

/// The file of an upload and the folder it is for, shared with the calls that run on pool threads. All calls block.
final class UploadFile: Sendable {
    let temporary: TemporaryFile
    private let lookUp: LookUp
    private let place: TargetFolder
    private let names: NameLock
    private let keptFree: Int64
    /// Disk space that is the file's already, in bytes.
    private let reservedBytes: Int64

    /// A name that comes and goes while we look is taken after this many looks.
    private static let looks = 4

    /// Makes an empty file.
    /// - Parameter reservedBytes: disk space that is taken at once.
    init(in place: UploadPlace, reserving reservedBytes: Int64 = 0) throws(UVError) {
        self.lookUp = place.lookUp
        self.place = place.target
        self.names = place.names
        self.temporary = try TemporaryFile(in: place.target.folder, spare: place.spare, allowsUnnamed: place.allowsUnnamed)
        self.keptFree = place.keptFree
        let isReserved = try self.temporary.reserve(reservedBytes, keepingFree: place.keptFree)
        self.reservedBytes = isReserved ? reservedBytes : 0
    }

    /// Writes all of `bytes` at `offset`.
    /// - Throws: `ENOSPC` also when less would stay free than has to.
    func write(_ bytes: Span<UInt8>, at offset: Int64) throws(UVError) {
        let isReserved = Int64(bytes.count) <= self.reservedBytes - offset
        try self.temporary.write(bytes, at: offset, keepingFree: isReserved ? 0 : self.keptFree)
    }

    /// The folder it is published in.
    var folder: Folder { self.place.folder }

    /// Gives the file its name, or another where `policy` says so.
    /// - Parameter numbers: what others of its batch have got, and then this one.
    /// - Parameter expected: what is to be replaced. Compared right before the rename: a change in between is not seen.
    /// - Parameter waits: for others who are about to replace or delete what has the name.
    /// - Returns: `nil` when there are some and they are not waited for. Nothing has happened then.
    func publish(
        as name: DropName, onDuplicate policy: DuplicatePolicy, expecting expected: FileStatus?, waits: Bool,
        _ numbers: inout GivenNumbers
    ) throws(StoreError) -> GivenName? {
        // What never replaces is one step by itself.
        guard expected != nil || policy == .overwrite else {
            try self.requireInPlace()
            return policy == .rename ? try self.publish(as: name, &numbers) : try self.publishFree(name)
        }
        let replace = { () throws(StoreError) -> GivenName in
            // What is replaced does not come back, so this is looked at after the wait.
            try self.requireInPlace()
            guard let expected else { return try self.overwrite(name) }
            guard let current = try self.current(name), self.lookUp.isStill(expected, current, in: self.place) else {
                throw .changed
            }
            return try self.replace(current.bytes)
        }
        guard waits else { return try self.names.holdNow(name.bytes, in: self.folder, replace) }
        return try self.names.hold(name.bytes, in: self.folder, replace)
    }

    /// Makes sure that the file is, or will be, found where it was sent to.
    /// - Throws: `.away`, `.notFound` or `.moved` when the folder is not.
    func requireInPlace() throws(StoreError) { try self.lookUp.requireInPlace(self.place) }

    private func publishFree(_ name: DropName) throws(StoreError) -> GivenName {
        guard try self.current(name) == nil, let given = try self.publishNew(name) else { throw .nameTaken }
        return given
    }

    private func overwrite(_ name: DropName) throws(StoreError) -> GivenName {
        for _ in 0..<Self.looks {
            if let current = try self.current(name) {
                try self.refuseFolder(current)
                return try self.replace(current.bytes)
            }
            if let given = try self.publishNew(name) { return given }
        }
        throw .nameTaken
    }

    /// Under the next free number when the name is taken.
    private func publish(as name: DropName, _ numbers: inout GivenNumbers) throws(StoreError) -> GivenName {
        let names = DuplicateNames(name)
        var search = FreeNumber(from: numbers[name, self.folder].map { $0 + 1 } ?? 0)
        while let number = search.candidate, let candidate = names.numbered(number) {
            guard search.isFound(isTaken: try self.current(candidate) != nil) else { continue }
            if let given = try self.publishNew(candidate) {
                numbers[name, self.folder] = number
                return given
            }
            // Somebody was quicker.
            _ = search.isFound(isTaken: true)
        }
        throw .nameTaken
    }

    /// Takes the name back after it could not be made durable, if it is still this file's.
    /// - Parameter waits: for others who are about to replace or delete what has the name.
    /// - Returns: `false` when there are some and they are not waited for.
    func withdraw(_ name: DropName, waits: Bool) throws(StoreError) -> Bool {
        let remove = { () throws(StoreError) in
            do throws(UVError) {
                let own = try self.temporary.file.status().identity
                if try self.folder.status(of: name.bytes)?.identity == own { try self.folder.removeFile(name.bytes) }
            } catch {
                throw StoreError(error)
            }
        }
        guard waits else { return try self.names.holdNow(name.bytes, in: self.folder, remove) != nil }
        try self.names.hold(name.bytes, in: self.folder, remove)
        return true
    }

    /// Gives back its disk space, which takes long for a large file, and would be done by the thread that drops it last. For a file that
    /// is not published.
    func free() {
        // The file is gone either way.
        try? self.temporary.truncate(to: 0)
    }

    private func current(_ name: DropName) throws(StoreError) -> (bytes: [UInt8], status: FileStatus)? {
        do throws(UVError) { return try LookUp.name(name.bytes, in: self.folder) } catch { throw StoreError(error) }
    }

    /// `nil` when the name is taken.
    private func publishNew(_ name: DropName) throws(StoreError) -> GivenName? {
        do throws(UVError) {
            return GivenName(name: name, replaced: false, left: try self.temporary.publish(as: name.bytes, replacing: false))
        } catch {
            guard error.code == -EEXIST else { throw StoreError(error) }
            return nil
        }
    }

    private func replace(_ bytes: [UInt8]) throws(StoreError) -> GivenName {
        guard let name = DropName(bytes) else { throw .notFound }
        do throws(UVError) {
            return GivenName(name: name, replaced: true, left: try self.temporary.publish(as: bytes, replacing: true))
        } catch {
            // A folder has come in between.
            guard error.code != -EISDIR else { throw .nameTaken }
            throw StoreError(error)
        }
    }

    /// Only a file, or a link that does not look like a folder, gives way.
    private func refuseFolder(_ current: (bytes: [UInt8], status: FileStatus)) throws(StoreError) {
        switch current.status.kind {
        case .file: return
        case .folder, .other: throw .nameTaken
        case .symlink:
            // A link that cannot be resolved leads to nothing of ours: only the link is replaced.
            if self.lookUp.target(of: current.bytes, in: self.place)?.kind == .folder { throw .nameTaken }
        }
    }
}
