internal import CUV
internal import Glibc

/// One name in a folder, and what it leads to.
public struct FolderEntry: Hashable, Sendable {
    /// As on disk: any bytes but NUL and `/`.
    public let name: [UInt8]
    /// Of the file or folder; for a symlink, of what it leads to.
    public let status: FileStatus
}

extension Folder {
    /// The files and folders in the folder at `path`, in the order the file system gives them.
    ///
    /// Left out: pipes, sockets, devices, excluded folders, symlinks that lead nowhere or outside, and names that vanish
    /// meanwhile or cannot be looked at.
    public func list(_ path: [[UInt8]] = []) throws(UVError) -> [FolderEntry] {
        // A descriptor of its own: reading moves an offset that duplicates would share.
        let folder = try self.resolve(path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        var entries: [FolderEntry] = []
        for name in try Self.names(in: folder) {
            var raw = stat()
            // One that cannot be looked at (a mount whose server is gone) must not hide the others.
            guard unsafe fstatat(folder.descriptor, cString(name), &raw, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            var status = FileStatus(raw)
            // A link that cannot be resolved is no file of ours, for whichever reason.
            if status.kind == .symlink {
                guard let target = try? self.status(at: path + [name]) else { continue }
                status = target
            }
            guard status.kind == .file || status.kind == .folder, !self.excluded.contains(status.identity) else { continue }
            entries.append(FolderEntry(name: name, status: status))
        }
        return entries
    }

    /// All names in `folder` but `.` and `..`.
    static func names(in folder: borrowing OwnedFile) throws(UVError) -> [[UInt8]] {
        let own = try checkErrno(
            unsafe shim_openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), "openat")
        guard let stream = unsafe fdopendir(own) else {
            let code = errno
            _ = close(own)
            throw UVError(code: -code, call: "fdopendir")
        }
        defer { unsafe closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                let code = errno
                guard code == 0 else { throw UVError(code: -code, call: "readdir") }
                return names
            }
            // Safe: readdir ends the name with a NUL inside the record, which is good until the next call.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe [UInt8](bytes.prefix { $0 != 0 })
            }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
        }
    }
}
