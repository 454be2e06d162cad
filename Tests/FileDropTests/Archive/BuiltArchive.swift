import TestSupport

@testable import FileDrop

/// An archive as a writer makes it of entries, the way that they are sent: begin, content, end; then the directory.
enum BuiltArchive {
    static func bytes(_ writer: some ArchiveWriter, _ files: [(entry: ArchiveEntry, content: [UInt8])]) -> [UInt8] {
        var writer = writer
        var bytes: [UInt8] = []
        for (entry, content) in files {
            bytes += writer.begin(entry)
            bytes += content
            bytes += writer.end(entry, checksum: self.crc32(content))
        }
        if writer.hasDirectory { for (entry, _) in files { bytes += writer.list(entry) } }
        return bytes + writer.finish()
    }

    static func length(_ writer: some ArchiveWriter, _ entries: some Sequence<ArchiveEntry>) -> Int64? {
        var length = ArchiveLength(writer)
        for entry in entries { length.add(entry) }
        length.finish()
        return length.bytes
    }

    static func zip(_ files: [(entry: ArchiveEntry, content: [UInt8])]) -> [UInt8] {
        self.bytes(ZipWriter(wallSeconds: { $0 }), files)
    }

    static func content(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) } }

    static func holds(_ bytes: some Collection<UInt8>, _ part: [UInt8]) -> Bool {
        let bytes = Array(bytes)
        return bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    /// Bit by bit.
    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    /// What a python script prints that finds the archive as its first argument, `a.EXTENSION`.
    static func read(_ archive: [UInt8], _ ending: String, by script: String) throws -> String {
        let folder = try TemporaryFolder()
        try folder.write("a.\(ending)", archive)
        let run = try Command.run(["python3", "-c", script, folder.path(of: "a.\(ending)")])
        return run.text + run.errorText
    }
}
