internal import CUV
internal import Glibc

/// Asks and fills the kernel's page cache, so that the loop thread never waits for a disk.
enum PageCache {
    private static let pageBytes: Int64 = 4096

    /// Whether all pages of the range are in memory. Where the kernel has no cachestat(2) (before 6.5) the answer comes from
    /// a non-blocking read of the first and the last byte.
    static func holds(_ file: CInt, offset: Int64, length: Int64) -> Bool {
        let cached = shim_cached_pages(file, UInt64(offset), UInt64(length))
        if cached >= 0 {
            return cached >= (offset + length - 1) / self.pageBytes - offset / self.pageBytes + 1
        }
        return shim_reads_at_once(file, offset) != 0 && shim_reads_at_once(file, offset + length - 1) != 0
    }

    /// Takes whatever is written to it. `-1` where there is none.
    private static let sink: CInt = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)

    /// Brings the range into memory; blocks, so it belongs in the pool. A failure is left to the sendfile that follows.
    static func load(_ file: CInt, offset: Int64, length: Int64) {
        shim_readahead(file, offset, Int(length))
        // Waits for all pages in a few calls, and copies none of them.
        var position = off_t(offset)
        let end = off_t(offset + length)
        while position < end, unsafe sendfile(self.sink, file, &position, end - position) > 0 {}
        // The rest, if a page at a time has to do.
        var byte: UInt8 = 0
        while position < end, unsafe pread(file, &byte, 1, position) > 0 { position += off_t(self.pageBytes) }
    }
}
