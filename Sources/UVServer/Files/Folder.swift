internal import CUV
internal import Glibc

/// An open folder. Everything beneath it is reached from its descriptor, and nothing outside is.
///
/// A path is a list of elements, each the bytes of one name. Symlinks are followed where they stay beneath the folder.
/// All calls block: run them in `BlockingWork`.
public final class Folder: Sendable {
    /// The folder itself, open for reading.
    public let file: OwnedFile
    public let identity: FileIdentity
    /// Folders that no path enters and no list names: recognised by what they are, not by what they are called.
    public let excluded: Set<FileIdentity>
    /// Whether `openat2` is tried before the path is walked element by element.
    let usesOpenat2: Bool
    /// Whether opening a file in it waits for its own disk at most.
    let isLocal: Bool

    /// What a path led to: a regular file or a folder. Anything else is not found.
    public enum Item: ~Copyable, Sendable {
        case file(OwnedFile, FileStatus)
        case folder(Folder)
    }

    /// Opens the folder at `path` in the file system; symlinks on the way are followed.
    /// - Parameter followsLink: `false`: unless `path` itself is one.
    /// - Throws: `ENOENT` when there is none, `ENOTDIR` when it is something else.
    public convenience init(
        path: String, excluded: Set<FileIdentity> = [], usesOpenat2: Bool = true, followsLink: Bool = true
    ) throws(UVError) {
        guard !path.utf8.contains(0) else { throw UVError(code: -ENOENT, call: "open") }
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
        let descriptor = try checkErrno(unsafe shim_openat(AT_FDCWD, path, flags, 0), "open")
        try self.init(OwnedFile(owning: descriptor), excluded: excluded, usesOpenat2: usesOpenat2)
    }

    init(_ file: consuming OwnedFile, excluded: Set<FileIdentity>, usesOpenat2: Bool) throws(UVError) {
        self.identity = try file.status().identity
        self.isLocal = shim_is_local(file.descriptor) != 0
        self.file = file
        self.excluded = excluded
        self.usesOpenat2 = usesOpenat2
    }

    /// A folder on the same file system.
    private init(_ file: consuming OwnedFile, _ identity: FileIdentity, like other: Folder) {
        self.identity = identity
        self.isLocal = other.isLocal
        self.file = file
        self.excluded = other.excluded
        self.usesOpenat2 = other.usesOpenat2
    }

    /// The same folder, but keeping out of `excluded`.
    public func excluding(_ excluded: Set<FileIdentity>) throws(UVError) -> Folder {
        try Folder(try self.file.duplicate(), excluded: excluded, usesOpenat2: self.usesOpenat2)
    }

    /// Makes the folder at `path` in the file system, unless it is there. The folders above it have to exist.
    public static func make(path: String, mode: UInt32) throws(UVError) {
        guard unsafe mkdir(path, mode) != 0 else { return }
        let code = errno
        guard code == EEXIST else { throw UVError(code: -code, call: "mkdir") }
    }

    /// Opens what `path` leads to, for reading.
    /// - Throws: `ENOENT` also for pipes, sockets, devices, excluded folders and what lies outside. `EAGAIN` while another
    ///   process holds a lease on the file: see `openWaiting`.
    public func open(_ path: [[UInt8]]) throws(UVError) -> Item {
        let file: OwnedFile
        do throws(UVError) {
            file = try self.resolve(path, flags: O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        } catch {
            // A socket cannot be opened, nor a device without a driver.
            guard error.code == -ENXIO || error.code == -ENODEV else { throw error }
            throw UVError(code: -ENOENT, call: error.call)
        }
        let status = try file.status()
        return try self.item(file, status)
    }

    /// As `open`, where that can be told without any wait: what is to be opened is known to the kernel already, and is on a local file
    /// system. `nil` in every other case, errors among them: then `open` decides. Unlike all else here it may be called on the loop.
    public func openAtOnce(_ path: [[UInt8]]) -> Item? {
        guard self.isLocal else { return nil }
        do throws(UVError) {
            let file = try self.resolveAtOnce(path, flags: O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            let status = try file.status()
            try self.refuseExcluded(path, status)
            return try self.item(file, status)
        } catch {
            return nil
        }
    }

    private func item(_ file: consuming OwnedFile, _ status: FileStatus) throws(UVError) -> Item {
        switch status.kind {
        case .file: return .file(file, status)
        case .folder: return .folder(try Folder(file, excluded: self.excluded, usesOpenat2: self.usesOpenat2))
        case .symlink, .other: throw UVError(code: -ENOENT, call: "open")
        }
    }

    /// As `open`, for a file on which another process holds a lease: it has been asked to give it up, and is waited for as long as
    /// the kernel allows (`/proc/sys/fs/lease-break-time`, 45 s).
    public func openWaiting(_ path: [[UInt8]]) throws(UVError) -> Item {
        let found = try self.resolve(path, flags: Self.lookOnly | O_CLOEXEC)
        guard try found.status().kind == .file else { throw UVError(code: -ENOENT, call: "open") }
        // This very file and no other: a pipe that took its name could let us wait for ever.
        let same = "/proc/self/fd/\(found.descriptor)"
        let file = OwnedFile(owning: try checkErrno(unsafe shim_openat(AT_FDCWD, same, O_RDONLY | O_CLOEXEC, 0), "openat"))
        let status = try file.status()
        return .file(file, status)
    }

    /// Opens the folder at `path`.
    /// - Throws: `ENOTDIR` when it is a file.
    public func folder(_ path: [[UInt8]]) throws(UVError) -> Folder {
        let file = try self.resolve(path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY)
        return try Folder(file, excluded: self.excluded, usesOpenat2: self.usesOpenat2)
    }

    /// As `folder`, if the kernel knows all of the path already and no other file system is on the way; `nil` otherwise, and for all
    /// errors: then `folder` decides. Like `openAtOnce` it may be called on the loop.
    public func folderAtOnce(_ path: [[UInt8]]) -> Folder? {
        guard self.isLocal else { return nil }
        do throws(UVError) {
            let file = try self.resolveAtOnce(path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY)
            let status = try file.status()
            try self.refuseExcluded(path, status)
            return Folder(file, status.identity, like: self)
        } catch {
            return nil
        }
    }

    /// What `path` leads to, symlinks followed. Of a folder it is what the kernel knows: its disk is not asked.
    public func status(at path: [[UInt8]]) throws(UVError) -> FileStatus {
        let found = try self.resolve(path, flags: Self.lookOnly | O_CLOEXEC)
        let known = try found.knownStatus()
        return known.kind == .folder ? known : try found.status()
    }

    /// What the name in this very folder is; a symlink is told as such. `nil` when the name is free.
    public func status(of name: [UInt8]) throws(UVError) -> FileStatus? {
        var raw = stat()
        guard unsafe fstatat(self.file.descriptor, cString(name), &raw, AT_SYMLINK_NOFOLLOW) != 0 else {
            return FileStatus(raw)
        }
        let code = errno
        guard code == ENOENT else { throw UVError(code: -code, call: "fstatat") }
        return nil
    }

    /// Removes a name of a file or symlink in this very folder.
    public func removeFile(_ name: [UInt8]) throws(UVError) {
        try checkErrno(unsafe unlinkat(self.file.descriptor, cString(name), 0), "unlinkat")
    }

    /// Removes an empty folder in this very folder. `ENOTEMPTY` when it is not.
    public func removeFolder(_ name: [UInt8]) throws(UVError) {
        try checkErrno(unsafe unlinkat(self.file.descriptor, cString(name), AT_REMOVEDIR), "unlinkat")
    }

    /// Whether its file system is one of which ``syncFileSystem()`` is known to wait for the disk.
    public var syncsWholeFileSystem: Bool { shim_syncs_whole(self.file.descriptor) != 0 }

    /// Whether it is also one where that takes no longer than a single file and its folder.
    public var syncsWholeFileSystemFast: Bool { shim_syncs_whole(self.file.descriptor) > 1 }

    /// Waits until all that anyone has written to this folder's file system is on the disk.
    ///
    /// A failure to write since the folder was opened is told once for this descriptor, whichever file it was: of content since
    /// Linux 5.8, of the journal since 5.17.
    public func syncFileSystem() throws(UVError) {
        try checkErrno(shim_syncfs(self.file.descriptor), "syncfs")
    }

    /// Waits until the names in this folder are on the disk.
    public func sync() throws(UVError) {
        try self.file.sync()
    }
}
