import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import FileDrop
@testable import UVServer

@Suite("A list as JSON") struct FolderListingTests {
    private struct Listing: Decodable {
        struct File: Decodable, Equatable {
            let name: String
            let kind: String
            let size: Int64
            let modified: String
            let type: String
            let url: String?
        }

        let files: [File]
        let next: String?
        let path: String
    }

    private static func index(_ entries: [(name: [UInt8], isFolder: Bool, size: Int64, seconds: Int)]) throws -> FolderIndex {
        var index = FolderIndex()
        for (name, isFolder, size, seconds) in entries {
            var raw = stat()
            raw.st_mode = isFolder ? S_IFDIR : S_IFREG
            raw.st_size = off_t(size)
            raw.st_mtim.tv_sec = seconds
            let facts = FolderIndex.Facts(FileStatus(raw), isLink: false)
            unsafe try name.withUnsafeBufferPointer { unsafe try index.append($0, facts) }
        }
        index.sort()
        return index
    }

    private static func listing(_ path: DropPath, _ index: FolderIndex, next: String? = nil) throws -> Listing {
        var bytes: [UInt8] = []
        FolderListing(path: path).render(index, index.indices, next: next) { bytes += $0 }
        return try JSONDecoder().decode(Listing.self, from: Data(bytes))
    }

    @Test("says of each entry what it is, whatever bytes its name has")
    func records() throws {
        var entries: [(name: [UInt8], isFolder: Bool, size: Int64, seconds: Int)] = []
        for byte in 1...255 as ClosedRange<UInt8> where byte != UInt8(ascii: "/") {
            entries.append(
                ([UInt8(ascii: "n"), byte, UInt8(ascii: "m")], byte % 2 == 0, Int64(byte) << 48, Int(byte) * 12_345_678))
        }
        let names = [
            "a.txt", "b.TXT", "c.png", ".txt", "README", "x.", "é.pdf", "\u{2028}.png", "日本.tar.gz", "a\"b\\c", "😀",
            "no.such-type",
        ]
        for name in names { entries.append((Array(name.utf8), false, .max, -1)) }
        entries.append(([0xFF, 0xFE, 0x22, 0xC3], false, 0, 0))
        let path = try #require(DropPath(encodedPath: "/a%20%22b/%C3%A9/".utf8))
        let index = try Self.index(entries)
        let listing = try Self.listing(path, index, next: "/a?after=\"\\")
        #expect(listing.path == "/a%20%22b/%C3%A9/" && listing.next == "/a?after=\"\\")
        #expect(listing.files.count == entries.count)
        for (entry, found) in zip(index, listing.files) {
            let expected = Listing.File(
                name: String(decoding: entry.name, as: UTF8.self), kind: entry.isFolder ? "folder" : "file", size: entry.size,
                modified: HTTPDate.rfc3339(entry.modifiedSeconds),
                type: entry.isFolder ? "inode/directory" : MediaType.of(name: [UInt8](entry.name)),
                url: path.appending(try #require(DropName(entry.name)), isFolder: entry.isFolder).url)
            #expect(found == expected)
        }
    }

    @Test("gives no address of what bears one of our own names, at the root only")
    func reserved() throws {
        let index = try Self.index([("-", true), ("delete", false), ("delete.txt", false)].map { (Array($0.utf8), $1, 0, 0) })
        #expect(try Self.listing(.root, index).files.map(\.url) == [nil, nil, "/delete.txt"])
        let inner = try #require(DropPath(encodedPath: "/sub/".utf8))
        #expect(try Self.listing(inner, index).files.map(\.url) == ["/sub/-/", "/sub/delete", "/sub/delete.txt"])
    }

    @Test("is whole JSON when it is empty, and leaves in pieces when it is long")
    func pieces() throws {
        #expect(try Self.listing(.root, try Self.index([])).files.isEmpty)
        let index = try Self.index((0..<3000).map { (Array("file \($0)".utf8), false, 1, 0) })
        var pieces: [[UInt8]] = []
        FolderListing(path: .root).render(index, index.indices, next: nil) { pieces.append($0) }
        #expect(pieces.count > 4 && pieces.allSatisfy { $0.count < 70 << 10 })
        let whole = try JSONDecoder().decode(Listing.self, from: Data(pieces.joined()))
        #expect(whole.files.count == 3000 && whole.next == nil)
    }

    @Test(
        "is asked for in parts by number and place",
        arguments: [
            ("", 0..<6, nil), ("limit=2", 0..<2, "limit=2&after=z%2F"), ("limit=3", 0..<3, "limit=3&after=a"),
            ("limit=2&after=z/", 2..<4, "limit=2&after=b%20%26"), ("limit=2&after=z", 2..<4, "limit=2&after=b%20%26"),
            ("limit=2&after=b%20%26", 4..<6, nil), ("after=a", 3..<6, nil), ("after=a/", 0..<6, nil), ("after=m/", 1..<6, nil),
            ("after=zzz", 6..<6, nil), ("after=", 0..<6, nil), ("after=/", 0..<6, nil), ("limit=6", 0..<6, nil),
            ("limit=99999999999999999999999", 0..<6, nil), ("limit=1&limit=x", 0..<1, "limit=1&after=b%2F"),
        ] as [(String, Range<Int>, String?)])
    func parts(_ query: String, _ range: Range<Int>, _ next: String?) throws {
        let names = [("b", true), ("z", true), ("a", false), ("b &", false), ("c", false), ("d", false)]
        let index = try Self.index(names.map { (Array($0.utf8), $1, 0, 0) })
        let part = try ListPart(Query(query.utf8))
        #expect(part.range(in: index) == range)
        #expect(part.next(range, of: index) == next)
    }

    @Test(
        "is refused in parts of no size",
        arguments: ["limit", "limit=", "limit=0", "limit=-1", "limit=+1", "limit=1.5", "limit=x"])
    func badLimits(_ query: String) {
        do throws(FileDropError) {
            _ = try ListPart(Query(query.utf8))
            Issue.record("taken: \(query)")
        } catch {
            #expect(error.status == .badRequest)
        }
    }
}
