internal import CUV
internal import Glibc

extension Folder {
    /// What is read of a folder at once, in bytes.
    private static let readBytes = 64 << 10

    /// What this very folder holds.
    ///
    /// Left out: pipes, sockets, devices, excluded folders, symlinks that lead nowhere or outside, and names that vanish meanwhile or
    /// cannot be looked at, or are longer than any path may hold.
    /// - Parameters:
    ///   - path: how it is reached from `root`, beneath which symlinks have to stay.
    ///   - shows: whether a name is wanted at all.
    func index(_ path: [[UInt8]], beneath root: Folder, shows: (Span<UInt8>) -> Bool) throws(UVError) -> FolderIndex {
        var index = FolderIndex()
        unsafe try Self.read(self.file) { (name, type) throws(UVError) in
            // A file system that does not tell the kind says 0.
            guard [0, UInt8(DT_REG), UInt8(DT_DIR), UInt8(DT_LNK)].contains(type), shows(unsafe name.span) else { return }
            // Safe: a NUL follows the name.
            let text = unsafe UnsafeRawPointer(name.baseAddress!).assumingMemoryBound(to: CChar.self)
            let (facts, isLink) = unsafe self.facts(text, type, path, beneath: root)
            if let facts {
                unsafe try index.append(name, facts)
            } else if isLink {
                index.hiddenLinks.insert(unsafe [UInt8](name))
            }
        }
        index.sort()
        return index
    }

    /// What the names are now.
    func look(at names: some Sequence<[UInt8]>, _ path: [[UInt8]], beneath root: Folder) -> [FolderIndex.Change] {
        names.map { name in
            let (facts, isLink) = unsafe self.facts(cString(name), 0, path, beneath: root)
            return FolderIndex.Change(name: name, facts: facts, isHiddenLink: facts == nil && isLink)
        }
    }

    /// No facts of what no list shows, and whether it is a symlink all the same.
    /// - Parameter type: the kind, where it is known (`DT_…`); else 0.
    func facts(
        _ name: UnsafePointer<CChar>, _ type: UInt8, _ path: [[UInt8]], beneath root: Folder
    ) -> (facts: FolderIndex.Facts?, isLink: Bool) {
        // One that cannot be looked at (a mount whose server is gone) must not hide the others.
        guard var status = unsafe self.status(name, type) else { return (nil, false) }
        let isLink = status.kind == .symlink
        // A link that cannot be resolved is no file of ours, for whichever reason.
        if isLink {
            guard let target = try? root.status(at: path + [unsafe Self.bytes(of: name)]) else { return (nil, true) }
            status = target
        }
        guard status.kind == .file || status.kind == .folder, !root.excluded.contains(status.identity) else {
            return (nil, isLink)
        }
        return (FolderIndex.Facts(status, isLink: isLink), isLink)
    }

    /// Of a folder, at which a file system may be mounted that does not answer, what the kernel knows; of all else what is.
    private func status(_ name: UnsafePointer<CChar>, _ type: UInt8) -> FileStatus? {
        var raw = stat()
        if type == 0 || type == UInt8(DT_DIR) {
            guard unsafe shim_known_status(self.file.descriptor, name, AT_SYMLINK_NOFOLLOW, &raw) == 0 else { return nil }
            let known = FileStatus(raw)
            if known.kind == .folder { return known }
        }
        guard unsafe fstatat(self.file.descriptor, name, &raw, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileStatus(raw)
    }

    private static func bytes(of name: UnsafePointer<CChar>) -> [UInt8] {
        unsafe [UInt8](UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    /// All names in `folder` but `.` and `..`.
    static func names(in folder: borrowing OwnedFile) throws(UVError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        unsafe try self.read(folder) { (name, _) throws(UVError) in names.append(unsafe [UInt8](name)) }
        return names
    }

    /// Calls `body` for every name in `folder` but `.` and `..`, with the kind that the file system tells (`DT_…`). The name is lent for
    /// the call; a NUL follows it.
    private static func read(
        _ folder: borrowing OwnedFile, _ body: (UnsafeBufferPointer<UInt8>, UInt8) throws(UVError) -> Void
    ) throws(UVError) {
        // A descriptor of its own: reading moves an offset that duplicates would share.
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let own = OwnedFile(owning: try checkErrno(unsafe shim_openat(folder.descriptor, ".", flags, 0), "openat"))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: self.readBytes, alignment: 8)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = unsafe shim_read_folder(own.descriptor, buffer.baseAddress, buffer.count)
            guard count >= 0 else { throw .last("getdents64") }
            if count == 0 { return }
            var start = 0
            // struct linux_dirent64: inode, offset, 16 bits of length, 8 bits of kind, the name with a NUL.
            while start < count {
                let length = unsafe Int(buffer.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self))
                let type = unsafe buffer[start + 18]
                let text = unsafe buffer.baseAddress! + start + 19
                let count = unsafe strlen(text.assumingMemoryBound(to: CChar.self))
                let name = unsafe UnsafeBufferPointer(start: text.assumingMemoryBound(to: UInt8.self), count: count)
                start += length
                if count <= 2, unsafe name.allSatisfy({ $0 == 0x2E }) { continue }
                unsafe try body(name, type)
            }
        }
    }
}
