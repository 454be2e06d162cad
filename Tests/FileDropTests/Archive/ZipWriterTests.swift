import TestSupport
import Testing

@testable import FileDrop

@Suite("A zip archive") struct ZipWriterTests {
    /// 2026-03-01 12:34:56 UTC.
    private static let time: Int64 = 1_772_368_496

    private static func entry(_ path: String, _ size: Int64, isFolder: Bool = false, time: Int64 = time) -> ArchiveEntry {
        ArchiveEntry(
            path: Array(path.utf8), isFolder: isFolder, size: size, modifiedSeconds: time, permissions: isFolder ? 0o755 : 0o640)
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test("is, byte for byte, what the specification says") func fixedBytes() {
        let archive = BuiltArchive.zip([(Self.entry("a", 2), Array("hi".utf8))])
        let local = [
            "504b0304", "1400", "0808", "0000", "5c64", "615c", "00000000", "00000000", "00000000", "0100", "0900", "61",
            "5554", "0500", "01", "7032a469",
        ]
        let content = ["6869", "504b0708", "ac2a93d8", "02000000", "02000000"]
        let central = [
            "504b0102", "1403", "1400", "0808", "0000", "5c64", "615c", "ac2a93d8", "02000000", "02000000", "0100", "0900",
            "0000",
            "0000", "0000", "0000a081", "00000000", "61", "5554", "0500", "01", "7032a469",
        ]
        let end = ["504b0506", "0000", "0000", "0100", "0100", "38000000", "3a000000", "0000"]
        #expect(Self.hex(archive) == (local + content + central + end).joined())
    }

    @Test("is read by others: names of any script, sizes, checksums, times, permissions") func readByOthers() throws {
        let content = BuiltArchive.content(70_000)
        let archive = BuiltArchive.zip([
            (Self.entry("폴더", 0, isFolder: true), []), (Self.entry("폴더/한글 파일.txt", 70_000), content),
            (Self.entry("サンプル 1.txt", 3), Array("abc".utf8)), (Self.entry("empty", 0), []),
            (Self.entry("old", 1, time: -5_000_000_000), [1]), (Self.entry("late", 1, time: 5_000_000_000), [2]),
        ])
        let seen = try BuiltArchive.read(
            archive, "zip",
            by: """
                import sys, zipfile, zlib
                z = zipfile.ZipFile(sys.argv[1])
                print(z.testzip())
                for i in z.infolist():
                    print(i.filename, i.file_size, i.date_time, oct(i.external_attr >> 16), i.flag_bits, i.compress_type, len(z.read(i)))
                """)
        #expect(
            seen == """
                None
                폴더/ 0 (2026, 3, 1, 12, 34, 56) 0o40755 2048 0 0
                폴더/한글 파일.txt 70000 (2026, 3, 1, 12, 34, 56) 0o100640 2056 0 70000
                サンプル 1.txt 3 (2026, 3, 1, 12, 34, 56) 0o100640 2056 0 3
                empty 0 (2026, 3, 1, 12, 34, 56) 0o100640 2048 0 0
                old 1 (1980, 1, 1, 0, 0, 0) 0o100640 2056 0 1
                late 1 (2107, 12, 31, 23, 59, 58) 0o100640 2056 0 1

                """)
    }

    @Test("A47 says that its names are UTF-8, in both headers, and not of those that are none") func utf8() {
        var foreign = Self.entry("", 0)
        foreign.path = [0x66, 0xFF]
        let archive = BuiltArchive.zip([(Self.entry("サンプル", 0), []), (foreign, [])])
        // The flags of the two local headers, then of the two central ones.
        let second = 30 + 12 + 9
        let directory = second + 30 + 2 + 9
        #expect([6, directory + 8].map { archive[$0 + 1] } == [8, 8])
        #expect([second + 6, directory + 46 + 12 + 9 + 8].map { archive[$0 + 1] } == [0, 0])
    }

    @Test("is written as zip64 from 65,535 entries on and not before", arguments: [65_534, 70_000])
    func manyEntries(count: Int) throws {
        let files = (0..<count).map { (Self.entry("\($0)", 0), [UInt8]()) }
        let archive = BuiltArchive.zip(files)
        #expect(archive.count == BuiltArchive.length(ZipWriter(wallSeconds: { $0 }), files.map(\.0)).map { Int($0) })
        #expect(BuiltArchive.holds(archive.suffix(120), [0x50, 0x4B, 0x06, 0x06]) == (count >= 65_535))
        let script =
            "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(len(z.namelist()), z.namelist()[-1], z.testzip())"
        #expect(try BuiltArchive.read(archive, "zip", by: script) == "\(count) \(count - 1) None\n")
    }

    @Test("has the numbers of zip64 for what lies past 4 GiB, and only there") func large() throws {
        let sizes: [Int64] = [1 << 32 - 1, 1 << 32 - 2, 5 << 32, 1]
        var writer = ZipWriter(wallSeconds: { $0 })
        let entries = sizes.enumerated().map { Self.entry("\($0.offset)", $0.element) }
        var headers: [[UInt8]] = []
        var tails: [[UInt8]] = []
        for entry in entries {
            headers.append(writer.begin(entry))
            tails.append(writer.end(entry, checksum: 7))
        }
        #expect(headers.map { $0[4] } == [45, 20, 45, 20])
        #expect(headers.map(\.count) == [60, 40, 60, 40])
        #expect(tails.map(\.count) == [24, 16, 24, 16])
        let lines = entries.map { writer.list($0) }
        // The first begins below 4 GiB and is larger; the others begin past it.
        #expect(lines.map(\.count) == [76, 68, 84, 68])
        var length = headers.reduce(0) { $0 + Int64($1.count) } + tails.reduce(0) { $0 + Int64($1.count) }
        length += sizes.reduce(0, +) + lines.reduce(0) { $0 + Int64($1.count) } + Int64(writer.finish().count)
        #expect(BuiltArchive.length(ZipWriter(wallSeconds: { $0 }), entries) == length)
        #expect(BuiltArchive.length(ZipWriter(wallSeconds: { $0 }), [Self.entry("a", .max), Self.entry("b", .max)]) == nil)
    }

    @Test("shows the time of day where it was made, and nothing before 1980") func dosTime() {
        #expect(ZipWriter.dosTime(Self.time) == (0x645C, 0x5C61))
        #expect(ZipWriter.dosTime(.min) == (0, 0x21) && ZipWriter.dosTime(.max) == (0xBF7D, 0xFF9F))
        let archive = BuiltArchive.bytes(ZipWriter(wallSeconds: { $0 + 3600 }), [(Self.entry("a", 0), [])])
        #expect(Array(archive[10..<12]) == [0x5C, 0x6C])
    }
}
