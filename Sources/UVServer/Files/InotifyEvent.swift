internal import Glibc

/// One record of inotify(7), as the kernel wrote it.
struct InotifyEvent: Equatable {
    /// Which watch it belongs to; -1 when the queue has overflowed.
    let watch: CInt
    let mask: UInt32
    /// The same for both halves of a rename, else 0.
    let cookie: UInt32
    /// Of the child that it is about; empty when it is about the watched thing itself.
    let name: [UInt8]

    /// What is asked for of a folder: its names, and what happens to the files behind them. Files without a name are left out
    /// (`IN_EXCL_UNLINK`): uploads are written to such, and every piece of them would be told.
    static let folderMask = UInt32(
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK | IN_MASK_ADD)
    /// What is asked for of a file.
    static let fileMask = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_MASK_ADD)

    /// Longest record, in bytes: the fixed part, and a name with its NUL, which has three times 255 bytes on file systems that count in
    /// UTF-16.
    static let longestBytes = 16 + 768

    /// The kernel has ended the watch, and says nothing of it any more.
    var isEnd: Bool { self.has(IN_IGNORED) }

    /// What it means for those who watch; `nil` for the end of a watch, and for bits that were not asked for.
    var event: FolderEvent? {
        guard let kind = self.kind else { return nil }
        return FolderEvent(
            kind: kind, name: self.name, cookie: self.cookie, isFolder: self.mask & UInt32(IN_ISDIR) != 0)
    }

    private var kind: FolderEvent.Kind? {
        if self.has(IN_Q_OVERFLOW) { return .lost }
        if self.has(IN_CREATE | IN_MOVED_TO) { return .nameAppeared }
        if self.has(IN_DELETE | IN_MOVED_FROM) { return .nameVanished }
        if self.has(IN_MODIFY | IN_CLOSE_WRITE) { return .contentChanged }
        if self.has(IN_ATTRIB) { return .attributesChanged }
        if self.has(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) { return .gone }
        return nil
    }

    private func has(_ bits: Int32) -> Bool { self.mask & UInt32(bitPattern: bits) != 0 }

    /// Takes apart what one read(2) gave: whole records.
    static func parse(_ bytes: UnsafeRawBufferPointer) -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        var start = 0
        while start + 16 <= bytes.count {
            let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
            guard start + 16 + length <= bytes.count else { break }
            // The name is filled up with NULs.
            let name = unsafe bytes[(start + 16)..<(start + 16 + length)].prefix { $0 != 0 }
            events.append(
                unsafe InotifyEvent(
                    watch: bytes.loadUnaligned(fromByteOffset: start, as: CInt.self),
                    mask: bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self),
                    cookie: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt32.self), name: [UInt8](name)))
            start += 16 + length
        }
        return events
    }
}
