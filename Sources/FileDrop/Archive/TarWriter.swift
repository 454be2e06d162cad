internal import UVServer

/// A tar archive in the pax form (POSIX.1-2001): `ustar` headers, and before those that cannot say all there is, a header with records
/// that do: names that are long or no ASCII, files over 8 GiB, times with fractions of a second.
struct TarWriter: ArchiveWriter {
    /// All of it is in blocks.
    static let blockBytes = 512
    /// The largest number of eleven octal digits.
    private static let largest: Int64 = 0o77_777_777_777
    private static let nameBytes = 100
    private static let prefixBytes = 155

    var needsChecksums: Bool { false }
    var hasDirectory: Bool { false }

    mutating func begin(_ entry: ArchiveEntry) -> [UInt8] {
        let name = entry.writtenPath
        let place = Self.split(name)
        var records: [UInt8] = []
        if place == nil {
            // Without this, a path is UTF-8.
            if String(validating: name, as: UTF8.self) == nil {
                Self.appendRecord("hdrcharset", Array("BINARY".utf8), to: &records)
            }
            Self.appendRecord("path", name, to: &records)
        }
        if entry.size > Self.largest { Self.appendRecord("size", Array(String(entry.size).utf8), to: &records) }
        if entry.modifiedNanoseconds != 0 || !(0...Self.largest).contains(entry.modifiedSeconds) {
            Self.appendRecord("mtime", Array(Self.time(entry).utf8), to: &records)
        }
        let header = Self.header(entry, place ?? (Array(name.prefix(Self.nameBytes)), []), kind: entry.isFolder ? "5" : "0")
        guard !records.isEmpty else { return header }
        var extended = entry
        (extended.size, extended.permissions) = (Int64(records.count), 0o644)
        let own = Array("PaxHeaders/".utf8) + (entry.path.split(separator: UInt8(ascii: "/")).last ?? [])
        return Self.header(extended, (Array(own.prefix(Self.nameBytes)), []), kind: "x") + records
            + Self.padding(Int64(records.count)) + header
    }

    mutating func end(_ entry: ArchiveEntry, checksum: UInt32) -> [UInt8] { Self.padding(entry.size) }

    mutating func list(_ entry: ArchiveEntry) -> [UInt8] { [] }

    mutating func finish() -> [UInt8] { [UInt8](repeating: 0, count: 2 * Self.blockBytes) }

    private static func header(_ entry: ArchiveEntry, _ place: (name: [UInt8], prefix: [UInt8]), kind: Unicode.Scalar) -> [UInt8]
    {
        var header: [UInt8] = []
        self.append(place.name, width: self.nameBytes, to: &header)
        self.append(Int64(entry.permissions), digits: 7, to: &header)
        // Neither who owns it nor which group: that means nothing elsewhere.
        for _ in 0..<2 { self.append(0, digits: 7, to: &header) }
        self.append(entry.size, digits: 11, to: &header)
        self.append(entry.modifiedSeconds, digits: 11, to: &header)
        let checksumStart = header.count
        header += [UInt8](repeating: UInt8(ascii: " "), count: 8)
        header.append(UInt8(ascii: kind))
        self.append([], width: 100, to: &header)
        header += "ustar".utf8
        header += [0, UInt8(ascii: "0"), UInt8(ascii: "0")]
        for _ in 0..<2 { self.append([], width: 32, to: &header) }
        for _ in 0..<2 { self.append(0, digits: 7, to: &header) }
        self.append(place.prefix, width: self.prefixBytes + 12, to: &header)
        var checksum: [UInt8] = []
        self.append(header.reduce(0) { $0 + Int64($1) }, digits: 6, to: &checksum)
        header.replaceSubrange(checksumStart..<checksumStart + checksum.count, with: checksum)
        return header
    }

    /// How a path goes into a header; `nil` when it does not.
    private static func split(_ path: [UInt8]) -> (name: [UInt8], prefix: [UInt8])? {
        guard path.allSatisfy({ $0 < 0x80 }) else { return nil }
        guard path.count > self.nameBytes else { return (path, []) }
        // At the first slash behind which the rest fits. A folder's last one belongs to its name.
        let slash = path.indices.dropLast().first { path[$0] == UInt8(ascii: "/") && path.count - $0 - 1 <= self.nameBytes }
        guard let slash, slash > 0, slash <= self.prefixBytes else { return nil }
        return (Array(path[(slash + 1)...]), Array(path[..<slash]))
    }

    /// Filled up with NUL.
    private static func append(_ text: [UInt8], width: Int, to header: inout [UInt8]) {
        header += text
        header += [UInt8](repeating: 0, count: width - text.count)
    }

    /// In octal, with a NUL behind it; what has no place is the nearest that has.
    private static func append(_ number: Int64, digits: Int, to header: inout [UInt8]) {
        let number = min(max(number, 0), digits == 11 ? self.largest : 0o7_777_777)
        let text = String(number, radix: 8)
        header += [UInt8](repeating: UInt8(ascii: "0"), count: digits - text.utf8.count)
        header += text.utf8
        header.append(0)
    }

    /// `LENGTH KEY=VALUE` and a line feed; the length counts itself.
    private static func appendRecord(_ key: StaticString, _ value: [UInt8], to records: inout [UInt8]) {
        let body = Array(" \(key)=".utf8) + value + [ASCII.lineFeed]
        var length = body.count
        while length != body.count + String(length).utf8.count { length = body.count + String(length).utf8.count }
        records += String(length).utf8
        records += body
    }

    /// Seconds with as many decimals as there are.
    private static func time(_ entry: ArchiveEntry) -> String {
        let isNegative = entry.modifiedSeconds < 0
        var (whole, fraction) = (entry.modifiedSeconds, entry.modifiedNanoseconds)
        if isNegative, fraction > 0 { (whole, fraction) = (whole + 1, 1_000_000_000 - fraction) }
        var text = (isNegative ? "-" : "") + String(whole.magnitude)
        guard fraction > 0 else { return text }
        let digits = String(fraction)
        text += "." + String(repeating: "0", count: 9 - digits.utf8.count) + digits
        while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
        return text
    }

    /// What is missing to a whole number of blocks.
    private static func padding(_ size: Int64) -> [UInt8] {
        let rest = Int(size % Int64(self.blockBytes))
        return [UInt8](repeating: 0, count: rest == 0 ? 0 : self.blockBytes - rest)
    }
}
