import Glibc
import TestSupport

@testable import UVServer

/// Files whose pages the kernel has not in memory: one long hole, and no reading ahead of what is asked for.
enum ColdFile {
    static func make(in place: TemporaryFolder, bytes: Int64) throws -> OwnedFile {
        try place.write("cold", "")
        let file = OwnedFile(owning: unsafe open(place.path(of: "cold"), O_RDWR | O_CLOEXEC))
        try checkErrno(ftruncate(file.descriptor, off_t(bytes)), "ftruncate")
        try checkErrno(posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_RANDOM), "posix_fadvise")
        return file
    }

    /// Whether files here go through the page cache: tmpfs has no page to load for a hole.
    static var canBeMade: Bool {
        get throws {
            let place = try TemporaryFolder()
            let file = try self.make(in: place, bytes: 4096)
            var byte: UInt8 = 0
            let isCold = !PageCache.holds(file.descriptor, offset: 0, length: 4096)
            _ = unsafe pread(file.descriptor, &byte, 1, 0)
            return isCold && PageCache.holds(file.descriptor, offset: 0, length: 4096)
        }
    }
}
