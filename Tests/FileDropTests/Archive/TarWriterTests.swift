import TestSupport
import Testing

@testable import FileDrop

@Suite("A tar archive") struct TarWriterTests {
    private static func entry(
        _ path: String, _ size: Int64 = 0, isFolder: Bool = false, time: Int64 = 1_772_368_496, nanoseconds: Int = 0
    ) -> ArchiveEntry {
        ArchiveEntry(
            path: Array(path.utf8), isFolder: isFolder, size: size, modifiedSeconds: time, modifiedNanoseconds: nanoseconds,
            permissions: isFolder ? 0o755 : 0o640)
    }

    private static let reading = """
        import sys, tarfile
        for m in tarfile.open(sys.argv[1]):
            print(m.name, m.size, m.mtime, oct(m.mode), m.type.decode(), sorted(m.pax_headers))
        """

    @Test("is, byte for byte, what the standard says") func fixedBytes() {
        let archive = BuiltArchive.bytes(TarWriter(), [(Self.entry("a", 2), Array("hi".utf8))])
        var header = Array("a".utf8) + [UInt8](repeating: 0, count: 99)
        header += "0000640\00000000\00000000\000000000002\015151031160\0".utf8
        header += "010305\0 0".utf8
        header += [UInt8](repeating: 0, count: 100)
        header += "ustar\000".utf8
        header += [UInt8](repeating: 0, count: 64)
        header += "0000000\00000000\0".utf8
        header += [UInt8](repeating: 0, count: 512 - header.count)
        #expect(archive.count == 2048)
        #expect(archive[..<148].elementsEqual(header[..<148]) && archive[156..<512].elementsEqual(header[156...]))
        let sum = header.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
        let octal = String(sum, radix: 8)
        #expect(archive[148..<156].elementsEqual(Array((String(repeating: "0", count: 6 - octal.count) + octal + "\0 ").utf8)))
        #expect(archive[512..<514].elementsEqual("hi".utf8) && archive[514...].allSatisfy { $0 == 0 })
    }

    @Test("is read by others: long names, names of any script, sizes, fractions of a second, moments before 1970")
    func readByOthers() throws {
        let deep = (0..<9).map { "folder number \($0)" }.joined(separator: "/")
        let long = String(repeating: "n", count: 120)
        let entries = [
            Self.entry("폴더", isFolder: true), Self.entry("폴더/한글.txt", 3, nanoseconds: 123_400_000),
            Self.entry(deep, isFolder: true), Self.entry(deep + "/" + long), Self.entry(long),
            Self.entry("old", time: -2, nanoseconds: 500_000_000),
            Self.entry("plain", 513),
        ]
        let archive = BuiltArchive.bytes(TarWriter(), entries.map { ($0, BuiltArchive.content(Int($0.size))) })
        #expect(archive.count == BuiltArchive.length(TarWriter(), entries).map { Int($0) })
        let seen = try BuiltArchive.read(archive, "tar", by: Self.reading)
        #expect(
            seen == """
                폴더 0 1772368496 0o755 5 ['path']
                폴더/한글.txt 3 1772368496.1234 0o640 0 ['mtime', 'path']
                \(deep) 0 1772368496 0o755 5 []
                \(deep)/\(long) 0 1772368496 0o640 0 ['path']
                \(long) 0 1772368496 0o640 0 ['path']
                old 0 -1.5 0o640 0 ['mtime']
                plain 513 1772368496 0o640 0 []

                """)
    }

    @Test("takes names that are no UTF-8 as they are") func foreign() throws {
        var entry = Self.entry("")
        entry.path = [0x66, 0xFF]
        let script = "import sys, tarfile; print([m.name.encode(errors='surrogateescape') for m in tarfile.open(sys.argv[1])])"
        #expect(try BuiltArchive.read(BuiltArchive.bytes(TarWriter(), [(entry, [])]), "tar", by: script) == "[b'f\\xff']\n")
    }

    @Test("says how long a file over 8 GiB is") func large() {
        var writer = TarWriter()
        let header = writer.begin(Self.entry("giga", 8 << 30))
        #expect(header.count == 1536 && BuiltArchive.holds(header, Array("19 size=8589934592\n".utf8)))
        #expect(writer.begin(Self.entry("giga", 8 << 30 - 1)).count == 512)
        #expect(BuiltArchive.length(TarWriter(), [Self.entry("giga", 8 << 30)]) == 8_589_937_152)
    }
}
