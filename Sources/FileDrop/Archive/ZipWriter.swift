internal import UVServer

/// A zip archive whose files are stored as they are (PKWARE's APPNOTE 6.3). The checksum of a file follows its content, in a data
/// descriptor, since it is known only then. What needs more than 32 bits, and nothing else, is written as zip64.
struct ZipWriter: ArchiveWriter {
    private let wallSeconds: @Sendable (Int64) -> Int64
    /// Where the next entry begins, or behind all of them the directory.
    private var position: Int64 = 0
    /// Of the entries that have ended.
    private var checksums: [UInt32] = []
    private var listedCount = 0
    /// Where the entry begins that is listed next.
    private var listedPosition: Int64 = 0
    private var directoryBytes: Int64 = 0

    /// From here on a number of 32 or 16 bits stands for one in zip64.
    private static let wide = Int64(UInt32.max)
    private static let wideCount = Int(UInt16.max)

    init(wallSeconds: @escaping @Sendable (Int64) -> Int64) { self.wallSeconds = wallSeconds }

    var needsChecksums: Bool { true }
    var hasDirectory: Bool { true }

    mutating func begin(_ entry: ArchiveEntry) -> [UInt8] {
        let header = self.localHeader(entry)
        self.position = Self.sum(self.position, Int64(header.count), entry.size)
        return header
    }

    mutating func end(_ entry: ArchiveEntry, checksum: UInt32) -> [UInt8] {
        self.checksums.append(checksum)
        let descriptor = Self.descriptor(entry, checksum)
        self.position = Self.sum(self.position, Int64(descriptor.count))
        return descriptor
    }

    mutating func list(_ entry: ArchiveEntry) -> [UInt8] {
        let checksum = self.checksums[self.listedCount]
        let header = self.centralHeader(entry, checksum, at: self.listedPosition)
        self.listedCount += 1
        self.listedPosition = Self.sum(
            self.listedPosition, Int64(self.localHeader(entry).count), entry.size,
            Int64(Self.descriptor(entry, checksum).count))
        self.directoryBytes += Int64(header.count)
        return header
    }

    /// The largest number where there is none: sparse files can be together longer than any archive, which then is never sent.
    private static func sum(_ numbers: Int64...) -> Int64 {
        numbers.reduce(0) { sum, number in
            let (next, overflow) = sum.addingReportingOverflow(number)
            return overflow ? .max : next
        }
    }

    /// Section 4.3.14 to 4.3.16.
    mutating func finish() -> [UInt8] {
        let (count, start, bytes) = (self.listedCount, self.position, self.directoryBytes)
        var end: [UInt8] = []
        if count >= Self.wideCount || start >= Self.wide || bytes >= Self.wide {
            end.append(littleEndian: UInt32(0x0606_4B50))
            // What follows in this record.
            end.append(littleEndian: UInt64(44))
            end.append(littleEndian: Self.madeBy(isWide: true))
            end.append(littleEndian: UInt16(45))
            end.append(littleEndian: UInt64(0))
            for _ in 0..<2 { end.append(littleEndian: UInt64(count)) }
            end.append(littleEndian: bytes)
            end.append(littleEndian: start)
            // Where that record is.
            end.append(littleEndian: UInt32(0x0706_4B50))
            end.append(littleEndian: UInt32(0))
            end.append(littleEndian: start &+ bytes)
            end.append(littleEndian: UInt32(1))
        }
        end.append(littleEndian: UInt32(0x0605_4B50))
        end.append(littleEndian: UInt32(0))
        for _ in 0..<2 { end.append(littleEndian: UInt16(min(count, Self.wideCount))) }
        end.append(littleEndian: UInt32(min(bytes, Self.wide)))
        end.append(littleEndian: UInt32(min(start, Self.wide)))
        end.append(littleEndian: UInt16(0))
        return end
    }

    /// Section 4.3.7.
    private func localHeader(_ entry: ArchiveEntry) -> [UInt8] {
        let (name, time) = (entry.writtenPath, Self.timeField(entry))
        let isWide = entry.size >= Self.wide
        var header: [UInt8] = []
        header.append(littleEndian: UInt32(0x0403_4B50))
        self.appendCommon(entry, isWide, to: &header)
        header.append(littleEndian: UInt32(0))
        // Both sizes stand behind the content, as wide as the field below says.
        for _ in 0..<2 { header.append(littleEndian: isWide ? UInt32.max : 0) }
        header.append(littleEndian: UInt16(truncatingIfNeeded: name.count))
        header.append(littleEndian: UInt16((isWide ? 20 : 0) + time.count))
        header += name
        if isWide {
            header.append(littleEndian: UInt16(1))
            header.append(littleEndian: UInt16(16))
            for _ in 0..<2 { header.append(littleEndian: UInt64(0)) }
        }
        return header + time
    }

    /// Section 4.3.12.
    private func centralHeader(_ entry: ArchiveEntry, _ checksum: UInt32, at position: Int64) -> [UInt8] {
        let (name, time) = (entry.writtenPath, Self.timeField(entry))
        var wide: [UInt8] = []
        if entry.size >= Self.wide { for _ in 0..<2 { wide.append(littleEndian: entry.size) } }
        if position >= Self.wide { wide.append(littleEndian: position) }
        var header: [UInt8] = []
        header.append(littleEndian: UInt32(0x0201_4B50))
        header.append(littleEndian: Self.madeBy(isWide: !wide.isEmpty))
        self.appendCommon(entry, !wide.isEmpty, to: &header)
        header.append(littleEndian: checksum)
        for _ in 0..<2 { header.append(littleEndian: UInt32(min(entry.size, Self.wide))) }
        header.append(littleEndian: UInt16(truncatingIfNeeded: name.count))
        header.append(littleEndian: UInt16((wide.isEmpty ? 0 : 4 + wide.count) + time.count))
        // No comment, the first disk, no text.
        for _ in 0..<3 { header.append(littleEndian: UInt16(0)) }
        let kind: UInt32 = entry.isFolder ? 0o040000 : 0o100000
        header.append(littleEndian: (kind | UInt32(entry.permissions)) << 16 | (entry.isFolder ? 0x10 : 0))
        header.append(littleEndian: UInt32(min(position, Self.wide)))
        header += name
        if !wide.isEmpty {
            header.append(littleEndian: UInt16(1))
            header.append(littleEndian: UInt16(wide.count))
            header += wide
        }
        return header + time
    }

    /// From the version that is needed to the time.
    private func appendCommon(_ entry: ArchiveEntry, _ isWide: Bool, to header: inout [UInt8]) {
        header.append(littleEndian: UInt16(isWide ? 45 : 20))
        var flags: UInt16 = Self.hasDescriptor(entry) ? 1 << 3 : 0
        // A name that is no UTF-8 goes as it is: to Unix, which this comes from, names are bytes.
        if String(validating: entry.path, as: UTF8.self) != nil { flags |= 1 << 11 }
        header.append(littleEndian: flags)
        header.append(littleEndian: UInt16(0))
        let (time, date) = Self.dosTime(self.wallSeconds(entry.modifiedSeconds))
        header.append(littleEndian: time)
        header.append(littleEndian: date)
    }

    /// Section 4.3.9. Without content, all is known before.
    private static func descriptor(_ entry: ArchiveEntry, _ checksum: UInt32) -> [UInt8] {
        guard self.hasDescriptor(entry) else { return [] }
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt32(0x0807_4B50))
        bytes.append(littleEndian: checksum)
        for _ in 0..<2 {
            if entry.size >= self.wide {
                bytes.append(littleEndian: entry.size)
            } else {
                bytes.append(littleEndian: UInt32(entry.size))
            }
        }
        return bytes
    }

    private static func hasDescriptor(_ entry: ArchiveEntry) -> Bool { entry.size > 0 }

    /// Unix, whose permissions are told, and the version of the format.
    private static func madeBy(isWide: Bool) -> UInt16 { 3 << 8 | (isWide ? 45 : 20) }

    /// The extended timestamp: seconds in UTC, as far as 32 bits go.
    private static func timeField(_ entry: ArchiveEntry) -> [UInt8] {
        guard let seconds = Int32(exactly: entry.modifiedSeconds) else { return [] }
        var field: [UInt8] = []
        field.append(littleEndian: UInt16(0x5455))
        field.append(littleEndian: UInt16(5))
        field.append(1)
        field.append(littleEndian: seconds)
        return field
    }

    /// From 1980 to 2107, in steps of two seconds; moments outside are the nearest of these.
    static func dosTime(_ wallSeconds: Int64) -> (time: UInt16, date: UInt16) {
        let date = CivilDate(min(max(wallSeconds, 315_532_800), 4_354_819_198))
        return (
            UInt16(date.hour << 11 | date.minute << 5 | date.second / 2),
            UInt16((date.year - 1980) << 9 | date.month << 5 | date.day)
        )
    }
}
