import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("The page cache", .enabled("files must not lie in memory alone") { try ColdFile.canBeMade })
struct PageCacheTests {
    private static let page: Int64 = 4096

    /// Reads one byte, which brings its page into memory and no other.
    private static func touch(_ file: borrowing OwnedFile, page: Int64) {
        var byte: UInt8 = 0
        _ = unsafe pread(file.descriptor, &byte, 1, off_t(page * self.page))
    }

    @Test("holds what was just written")
    func written() throws {
        let place = try TemporaryFolder()
        try place.write("warm", [UInt8](repeating: 1, count: 10_000))
        let file = OwnedFile(owning: unsafe open(place.path(of: "warm"), O_RDONLY | O_CLOEXEC))
        #expect(PageCache.holds(file.descriptor, offset: 0, length: 10_000))
        #expect(PageCache.holds(file.descriptor, offset: 5_000, length: 5_000))
        #expect(PageCache.holds(file.descriptor, offset: 9_999, length: 1))
    }

    @Test("holds a range only when it holds each of its pages, wherever the range begins in a page")
    func pages() throws {
        let file = try ColdFile.make(in: try TemporaryFolder(), bytes: 8 * Self.page)
        Self.touch(file, page: 1)
        Self.touch(file, page: 2)
        let rows: [(offset: Int64, length: Int64, holds: Bool)] = [
            (4096, 8192, true), (4096, 1, true), (8191, 2, true), (12287, 1, true), (5000, 6000, true),
            (0, 4096, false), (4095, 1, false), (4095, 2, false), (12287, 2, false), (12288, 1, false),
            (4096, 8193, false), (4095, 8193, false), (0, 32768, false),
        ]
        for row in rows {
            let holds = PageCache.holds(file.descriptor, offset: row.offset, length: row.length)
            #expect(holds == row.holds, "\(row.offset), \(row.length)")
        }
    }

    @Test("is loaded with the whole of a range, of which pages may have been there")
    func loading() throws {
        let file = try ColdFile.make(in: try TemporaryFolder(), bytes: 64 * Self.page)
        Self.touch(file, page: 20)
        #expect(!PageCache.holds(file.descriptor, offset: 4000, length: 200_000))
        PageCache.load(file.descriptor, offset: 4000, length: 200_000)
        #expect(PageCache.holds(file.descriptor, offset: 4000, length: 200_000))
        #expect(!PageCache.holds(file.descriptor, offset: 0, length: 64 * Self.page))
    }
}
