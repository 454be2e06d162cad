internal import UVServer

/// What an archive tells of a file or folder before its content.
struct ArchiveEntry: Hashable, Sendable {
    /// In the archive, with a slash between names and none at its end. Any bytes but NUL.
    var path: [UInt8]
    var isFolder = false
    /// In bytes; 0 for a folder.
    var size: Int64 = 0
    /// Since 1970, UTC; negative before.
    var modifiedSeconds: Int64 = 0
    /// 0 to 999,999,999, to be added to the seconds.
    var modifiedNanoseconds = 0
    /// Nine bits.
    var permissions: UInt16 = 0o644
    /// By which the file is recognised when its content is read; no archive tells it.
    var inode: UInt64 = 0

    /// The path as archives have it: of a folder with a slash at its end.
    var writtenPath: [UInt8] { self.isFolder ? self.path + [UInt8(ascii: "/")] : self.path }

    /// Whether `status` is of what the entry was made of, unchanged.
    func isStill(_ status: FileStatus) -> Bool {
        status.kind == .file && status.inode == self.inode && status.size == self.size
            && status.modifiedSeconds == self.modifiedSeconds && status.modifiedNanoseconds == self.modifiedNanoseconds
    }
}

extension ArchiveEntry {
    init(_ item: FolderWalk.Item) {
        self.init(
            path: item.path, isFolder: item.isFolder, size: item.size, modifiedSeconds: item.modifiedSeconds,
            modifiedNanoseconds: item.modifiedNanoseconds, permissions: item.permissions, inode: item.inode)
    }
}

/// How a list of entries waits in a file until they are sent.
extension ArchiveEntry {
    /// What comes before the path.
    static let recordHeadBytes = 33

    func appendRecord(to bytes: inout [UInt8]) {
        bytes.append(self.isFolder ? 1 : 0)
        bytes.append(littleEndian: self.permissions)
        bytes.append(littleEndian: self.size)
        bytes.append(littleEndian: self.modifiedSeconds)
        bytes.append(littleEndian: UInt32(truncatingIfNeeded: self.modifiedNanoseconds))
        bytes.append(littleEndian: self.inode)
        bytes.append(littleEndian: UInt16(truncatingIfNeeded: self.path.count))
        bytes += self.path
    }

    /// How long the record is that begins with these bytes; `nil` when they are too few to tell.
    static func recordBytes(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= self.recordHeadBytes else { return nil }
        var reader = LittleEndianReader(bytes.dropFirst(self.recordHeadBytes - 2))
        return self.recordHeadBytes + Int(reader.next(UInt16.self))
    }

    /// - Parameter record: a whole one.
    init(record: ArraySlice<UInt8>) {
        var reader = LittleEndianReader(record)
        self.init(path: Array(record.dropFirst(Self.recordHeadBytes)))
        self.isFolder = reader.next(UInt8.self) != 0
        self.permissions = reader.next(UInt16.self)
        self.size = reader.next(Int64.self)
        self.modifiedSeconds = reader.next(Int64.self)
        self.modifiedNanoseconds = Int(reader.next(UInt32.self))
        self.inode = reader.next(UInt64.self)
    }
}
