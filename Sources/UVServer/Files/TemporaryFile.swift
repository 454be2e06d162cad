internal import CUV
internal import Glibc

/// A file that is being written and has no name that anyone could ask for until it is published. Dropped means gone.
///
/// It is unnamed (`O_TMPFILE`) where the file system can do that, and has a hidden name otherwise. It stays locked
/// (`flock`) as long as it lives, which is how a sweep tells leftovers of a dead writer from the work of a live one.
/// All calls block.
public struct TemporaryFile: ~Copyable, Sendable {
    /// Open for reading and writing.
    public let file: OwnedFile
    /// Where it is published. Lies in the same file system.
    let folder: Folder
    /// Where hidden names go.
    let hiddenFolder: Folder
    /// `nil` for an unnamed file.
    let hiddenName: [UInt8]?

    /// How much of a file has to be on the disk.
    public enum SyncDepth: Sendable {
        /// Content and metadata.
        case full
        /// Content, and the metadata needed to read it.
        case data
    }

    /// Makes an empty file that can be published in `folder`, with the mode `0666` less the umask.
    /// - Parameters:
    ///   - spare: where hidden names go if it is on the same device; in `folder` itself otherwise.
    ///   - allowsUnnamed: `false` makes it a hidden name even where unnamed files exist.
    /// - Throws: `ENOENT` when the folder has been deleted.
    public init(in folder: Folder, spare: Folder?, allowsUnnamed: Bool = true) throws(UVError) {
        let hiddenFolder = spare.flatMap { $0.identity.device == folder.identity.device ? $0 : nil } ?? folder
        if allowsUnnamed {
            let descriptor = unsafe shim_openat(
                folder.file.descriptor, ".", Self.unnamed | O_RDWR | O_CLOEXEC, 0o666)
            if descriptor >= 0 {
                self.file = OwnedFile(owning: descriptor)
                self.folder = folder
                self.hiddenFolder = hiddenFolder
                self.hiddenName = nil
                // Nobody else can have it open. Where locks are missing, so is the sweep's way to take it.
                _ = flock(descriptor, LOCK_EX | LOCK_NB)
                return
            }
            // EISDIR and ENOENT: a kernel that does not know the flag; EOPNOTSUPP and EINVAL: a file system.
            let code = errno
            // What ext4 says of a folder that has been deleted.
            if code == EPERM, try folder.file.status().links == 0 { throw UVError(code: -ENOENT, call: "openat") }
            guard [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS, ENOENT].contains(code) else {
                throw UVError(code: -code, call: "openat")
            }
        }
        let (file, name) = try Self.create(in: hiddenFolder)
        self.file = OwnedFile(owning: file)
        self.folder = folder
        self.hiddenFolder = hiddenFolder
        self.hiddenName = name
    }

    deinit {
        guard let name = self.hiddenName else { return }
        _ = unsafe unlinkat(self.hiddenFolder.file.descriptor, cString(name), 0)
    }

    /// `O_TMPFILE` of `fcntl.h`, which as an expression of another macro is not imported.
    private static let unnamed = CInt(0o20000000) | O_DIRECTORY

    /// `AT_EMPTY_PATH` of `fcntl.h`: the descriptor itself is meant.
    private static let emptyPath: CInt = 0x1000

    /// A locked file under a new hidden name. The caller owns the descriptor.
    private static func create(in folder: Folder) throws(UVError) -> (CInt, [UInt8]) {
        while true {
            let name = HiddenName.random()
            let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let descriptor = unsafe shim_openat(folder.file.descriptor, cString(name), flags, 0o666)
            guard descriptor >= 0 else {
                let code = errno
                if code == EEXIST { continue }
                throw UVError(code: -code, call: "openat")
            }
            let file = OwnedFile(owning: descriptor)
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
            // A sweep that came between the two calls has taken it for a leftover.
            guard isLocked, try file.status().links > 0 else { continue }
            return (file.release(), name)
        }
    }

    /// Takes space for `bytes` in advance, without changing the file's size.
    /// - Parameter kept: so many bytes of the file system stay free.
    /// - Returns: `false` where the file system cannot do that: then the writes tell.
    /// - Throws: `ENOSPC` or `EDQUOT` when there is not enough, `EFBIG` when the file system has no files so large.
    @discardableResult
    public func reserve(_ bytes: Int64, keepingFree kept: Int64 = 0) throws(UVError) -> Bool {
        guard bytes > 0 else { return true }
        // Asked first, because fallocate takes what is there before it says that it is not enough.
        try self.file.requireRoom(for: bytes, keepingFree: kept)
        while shim_reserve(self.file.descriptor, 0, bytes) != 0 {
            switch errno {
            case EINTR: continue
            case EOPNOTSUPP, ENOSYS, EINVAL: return false
            case let code: throw UVError(code: -code, call: "fallocate")
            }
        }
        try self.requireKept(kept, elseSize: 0)
        return true
    }

    /// Writes what no space was taken for in advance.
    /// - Parameter kept: so many bytes of the file system stay free.
    /// - Throws: `ENOSPC` when there is not enough.
    public func write(_ bytes: Span<UInt8>, at offset: Int64, keepingFree kept: Int64) throws(UVError) {
        if kept > 0 { try self.file.requireRoom(for: Int64(bytes.count), keepingFree: kept) }
        try self.file.write(bytes, at: offset)
        try self.requireKept(kept, elseSize: offset)
    }

    /// Others, of this process or not, may have taken space at the same time: whoever comes below gives it back.
    private func requireKept(_ kept: Int64, elseSize size: Int64) throws(UVError) {
        guard kept > 0 else { return }
        do throws(UVError) { try self.file.requireRoom(for: 0, keepingFree: kept) } catch {
            try self.truncate(to: size)
            throw error
        }
    }

    /// Sets the size, and gives back what was reserved past it.
    public func truncate(to size: Int64) throws(UVError) {
        try checkErrno(ftruncate(self.file.descriptor, off_t(size)), "ftruncate")
    }

    /// Waits until the content is on the disk. After a failure the file must be dropped: a second try would lie.
    public func sync(_ depth: SyncDepth) throws(UVError) {
        switch depth {
        case .full: try self.file.sync()
        case .data: try self.file.syncData()
        }
    }

    /// Gives the file its name in the folder it was made for. The folder is not synced: that can be done for many at once.
    /// - Parameter replacing: `false` never replaces anything: `EEXIST`. `true` replaces in one step a file or symlink,
    ///   the link itself; a folder is `EISDIR`. Either way a failure leaves the file unpublished.
    /// - Returns: the other folder that it has moved out of. Until that is synced, and before the new one is, the disk may know the file by
    ///   both names, and a sweep that removes the hidden one frees its content where a file has one name only.
    @discardableResult
    public func publish(as name: [UInt8], replacing: Bool) throws(UVError) -> Folder? {
        var isMoved = false
        if replacing {
            isMoved = try self.replace(name)
        } else if let hidden = self.hiddenName {
            isMoved = try self.moveNew(hidden, to: name)
        } else {
            try self.link(into: self.folder, as: name)
        }
        return isMoved && self.hiddenFolder !== self.folder ? self.hiddenFolder : nil
    }

    /// - Returns: whether it has left a hidden name that may be on the disk.
    private func replace(_ name: [UInt8]) throws(UVError) -> Bool {
        if let hidden = self.hiddenName {
            try self.rename(hidden, in: self.hiddenFolder, to: name)
            return true
        }
        // A link cannot replace: the file takes a hidden name first, then moves over the old one.
        let hidden = HiddenName.random()
        var place = self.hiddenFolder
        do throws(UVError) {
            try self.link(into: place, as: hidden)
        } catch {
            // The same device can be mounted twice, and the other folder can have been deleted.
            guard error.code == -EXDEV || error.code == -ENOENT, place !== self.folder else { throw error }
            place = self.folder
            try self.link(into: place, as: hidden)
        }
        do throws(UVError) {
            try self.rename(hidden, in: place, to: name)
        } catch {
            _ = unsafe unlinkat(place.file.descriptor, cString(hidden), 0)
            throw error
        }
        return false
    }

    private func rename(_ hidden: [UInt8], in place: Folder, to name: [UInt8]) throws(UVError) {
        try checkErrno(
            unsafe renameat(place.file.descriptor, cString(hidden), self.folder.file.descriptor, cString(name)),
            "renameat")
    }

    /// Links the unnamed file.
    private func link(into place: Folder, as name: [UInt8]) throws(UVError) {
        let target = place.file.descriptor
        let source = "/proc/self/fd/\(self.file.descriptor)"
        guard unsafe linkat(AT_FDCWD, source, target, cString(name), AT_SYMLINK_FOLLOW) != 0 else { return }
        let code = errno
        guard code == ENOENT else { throw UVError(code: -code, call: "linkat") }
        // Without /proc: newer kernels let the opener link by descriptor. A folder that is gone stays ENOENT.
        try checkErrno(unsafe linkat(self.file.descriptor, "", target, cString(name), Self.emptyPath), "linkat")
    }

    /// Gives a file with a hidden name its new one, if that is free.
    /// - Returns: whether the hidden one is gone; a link goes with the file.
    private func moveNew(_ hidden: [UInt8], to name: [UInt8]) throws(UVError) -> Bool {
        let (from, target) = (self.hiddenFolder.file.descriptor, self.folder.file.descriptor)
        if unsafe linkat(from, cString(hidden), target, cString(name), 0) == 0 { return false }
        let code = errno
        // File systems without hard links.
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(code) else { throw UVError(code: -code, call: "linkat") }
        try checkErrno(unsafe shim_rename_noreplace(from, cString(hidden), target, cString(name)), "renameat2")
        return true
    }
}
