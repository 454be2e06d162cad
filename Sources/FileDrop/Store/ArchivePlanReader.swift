internal import Glibc
internal import UVServer

/// Reads the list of what belongs into an archive, of which a piece is in memory at a time. Blocks.
struct ArchivePlanReader: Sendable {
    private static let pieceBytes = 64 << 10

    private let bytes: [UInt8]
    private let file: SharedFile?
    private let length: Int64
    /// It counts as long as it is read.
    private let share: SpoolRoom.Share
    /// What has been read and not taken.
    private var window: ArraySlice<UInt8>
    /// Where in the file that ends.
    private var position: Int64 = 0

    init(_ plan: consuming Spool.Content) {
        switch consume plan {
        case .bytes(let bytes, let share):
            (self.bytes, self.file, self.length, self.share) = (bytes, nil, 0, share)
        case .file(let file, let length, let share):
            (self.bytes, self.file, self.length, self.share) = ([], SharedFile(file, size: length), length, share)
        }
        self.window = self.bytes[...]
    }

    /// The next entry; `nil` behind the last.
    mutating func next() throws(UVError) -> ArchiveEntry? {
        while true {
            if let count = ArchiveEntry.recordBytes(self.window), self.window.count >= count {
                defer { self.window = self.window.dropFirst(count) }
                return ArchiveEntry(record: self.window.prefix(count))
            }
            guard let file = self.file, self.position < self.length else { return nil }
            let more = try file.read(Self.pieceBytes, at: self.position)
            guard !more.isEmpty else { throw UVError(code: -EIO, call: "pread") }
            self.window = (Array(self.window) + more)[...]
            self.position += Int64(more.count)
        }
    }

    /// Begins again.
    mutating func rewind() {
        self.window = self.bytes[...]
        self.position = 0
    }
}
