internal import Glibc

/// What a folder holds: folders first, then files, each by the bytes of their names.
///
/// Compact, because folders may hold hundreds of thousands: all names lie in one buffer, and an entry takes 40 bytes beside its name.
public struct FolderIndex: Sendable {
    /// One entry. The name is lent by the index.
    public struct Element: Sendable {
        /// As on disk: any bytes but NUL and `/`.
        public let name: ArraySlice<UInt8>
        public let isFolder: Bool
        /// In bytes; 0 for a folder. Of a symlink, like all else, what it leads to has it.
        public let size: Int64
        /// Since 1970, UTC; negative before.
        public let modifiedSeconds: Int64
        /// 0 to 999,999,999, to be added to the seconds.
        public let modifiedNanoseconds: Int
        /// Nine bits.
        let permissions: UInt16
        let inode: UInt64
        /// Whether the name itself is a symlink.
        let isLink: Bool

        init(name: ArraySlice<UInt8>, _ facts: Facts) {
            self.name = name
            self.isFolder = facts.isFolder
            self.size = facts.size
            self.modifiedSeconds = facts.modifiedSeconds
            self.modifiedNanoseconds = Int(facts.modifiedNanoseconds)
            self.permissions = facts.permissions
            self.inode = facts.inode
            self.isLink = facts.isLink
        }
    }

    /// What is known of one name.
    struct Facts: Sendable {
        let size: Int64
        let modifiedSeconds: Int64
        let inode: UInt64
        let modifiedNanoseconds: UInt32
        let isFolder: Bool
        /// Changes without the folder's watch being told: folders, symlinks, files with several names.
        var isLoose: Bool
        let isLink: Bool
        let permissions: UInt16

        /// - Parameter isLink: whether `status` is of what a symlink leads to.
        init(_ status: FileStatus, isLink: Bool) {
            self.isFolder = status.kind == .folder
            self.size = self.isFolder ? 0 : status.size
            self.modifiedSeconds = status.modifiedSeconds
            self.modifiedNanoseconds = UInt32(clamping: status.modifiedNanoseconds)
            self.inode = status.inode
            self.permissions = status.permissions
            self.isLink = isLink
            self.isLoose = isLink || self.isFolder || status.links > 1
        }

        /// Whether a list shows the same.
        func looksLike(_ other: Facts) -> Bool {
            self.isFolder == other.isFolder && self.size == other.size && self.modifiedSeconds == other.modifiedSeconds
                && self.modifiedNanoseconds == other.modifiedNanoseconds
        }
    }

    /// In bytes. File systems that count in UTF-16 (FAT, NTFS, CIFS) have longer ones, which no path of ours holds: they are left out.
    static let longestName = Int(UInt8.max)

    struct Record: Sendable {
        var facts: Facts
        let nameLength: UInt8
        let nameStart: UInt32
    }

    var records: [Record] = []
    var names: [UInt8] = []
    /// Of `names`, those that belong to no record any more.
    var unusedNameBytes = 0
    private(set) var folderCount = 0
    private var looseRecords = 0
    /// Symlinks that lead to nothing that a list shows: what they lead to may appear at any time.
    var hiddenLinks: Set<[UInt8]> = []

    /// How many names are to be looked at each time.
    var looseCount: Int { self.looseRecords + self.hiddenLinks.count }

    /// What it takes in memory, in bytes.
    var memoryBytes: Int {
        let links = self.hiddenLinks.count * (Self.longestName + MemoryLayout<[UInt8]>.stride)
        return self.records.capacity * MemoryLayout<Record>.stride + self.names.capacity + links
    }

    init() {}

    /// Adds an entry in no order, unless its name is too long; `sort` must follow.
    /// - Throws: `EOVERFLOW` when the names take 4 GiB.
    mutating func append(_ name: UnsafeBufferPointer<UInt8>, _ facts: Facts) throws(UVError) {
        guard name.count <= Self.longestName else { return }
        let record = try self.record(name.count, facts)
        unsafe self.names.append(contentsOf: name)
        self.records.append(record)
    }

    /// A record for a name that is appended next.
    func record(_ nameLength: Int, _ facts: Facts) throws(UVError) -> Record {
        guard let start = UInt32(exactly: self.names.count), let length = UInt8(exactly: nameLength) else {
            throw UVError(code: -EOVERFLOW, call: "getdents64")
        }
        return Record(facts: facts, nameLength: length, nameStart: start)
    }

    func name(_ record: Record) -> ArraySlice<UInt8> {
        self.names[Int(record.nameStart)..<Int(record.nameStart) + Int(record.nameLength)]
    }

    /// The names that may stand for something else without anyone being told.
    var looseNames: [[UInt8]] {
        self.records.filter(\.facts.isLoose).map { [UInt8](self.name($0)) } + self.hiddenLinks
    }

    /// To be called after every change of the records.
    mutating func recount() {
        (self.folderCount, self.looseRecords) = (0, 0)
        for record in self.records {
            if record.facts.isFolder { self.folderCount += 1 }
            if record.facts.isLoose { self.looseRecords += 1 }
        }
    }

    /// Where a folder or file of this name is, or would be.
    func position(of name: [UInt8], isFolder: Bool) -> (index: Int, isThere: Bool) {
        var low = isFolder ? 0 : self.folderCount
        var high = isFolder ? self.folderCount : self.records.count
        while low < high {
            let middle = (low + high) / 2
            let order = self.compare(self.records[middle], name)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    /// Where the list goes on after an entry, whether it is still there or not.
    /// - Parameter isFolder: `false` for a name that may be a folder's all the same, if there is one of that name.
    public func position(after name: [UInt8], isFolder: Bool) -> Int {
        let folder = self.position(of: name, isFolder: true)
        if isFolder || folder.isThere { return folder.isThere ? folder.index + 1 : folder.index }
        let file = self.position(of: name, isFolder: false)
        return file.isThere ? file.index + 1 : file.index
    }

    /// Below, at or above 0: as `memcmp`.
    private func compare(_ record: Record, _ name: [UInt8]) -> Int {
        let start = Int(record.nameStart)
        for offset in 0..<Swift.min(Int(record.nameLength), name.count) {
            let (one, other) = (self.names[start + offset], name[offset])
            if one != other { return one < other ? -1 : 1 }
        }
        return Int(record.nameLength) - name.count
    }
}

extension FolderIndex: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { self.records.count }

    public subscript(_ position: Int) -> Element {
        let record = self.records[position]
        return Element(name: self.name(record), record.facts)
    }
}
