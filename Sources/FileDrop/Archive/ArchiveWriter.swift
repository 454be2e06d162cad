/// Writes all of an archive but the content of its files: told of each entry, it gives the bytes that stand before and behind the
/// content. Pure: it is also what the length is known from before anything is sent.
protocol ArchiveWriter: Sendable {
    /// Whether ``end(_:checksum:)`` wants to know the CRC-32 of the content.
    var needsChecksums: Bool { get }
    /// Whether there is a directory behind the last entry.
    var hasDirectory: Bool { get }

    /// What comes before the content of the next entry.
    mutating func begin(_ entry: ArchiveEntry) -> [UInt8]
    /// What comes behind it.
    mutating func end(_ entry: ArchiveEntry, checksum: UInt32) -> [UInt8]
    /// The line of the directory for an entry that has ended. All of them are told again, in their order.
    mutating func list(_ entry: ArchiveEntry) -> [UInt8]
    /// What comes last.
    mutating func finish() -> [UInt8]
}

/// How long an archive will be.
struct ArchiveLength {
    private var writer: any ArchiveWriter
    /// So far, in bytes; `nil` when no number says it.
    private(set) var bytes: Int64? = 0

    init(_ writer: any ArchiveWriter) { self.writer = writer }

    mutating func add(_ entry: ArchiveEntry) {
        self.add(Int64(self.writer.begin(entry).count))
        self.add(entry.size)
        self.add(Int64(self.writer.end(entry, checksum: 0).count))
        if self.writer.hasDirectory { self.add(Int64(self.writer.list(entry).count)) }
    }

    mutating func finish() { self.add(Int64(self.writer.finish().count)) }

    private mutating func add(_ count: Int64) {
        guard let bytes = self.bytes else { return }
        let (sum, overflow) = bytes.addingReportingOverflow(count)
        self.bytes = overflow ? nil : sum
    }
}
