/// An answer as it goes out, the first time and every time that it is remembered: its head and, where it is small, its body as bytes,
/// and a large body as a stretch of an open file.
@EventLoop final class PreparedAnswer {
    let status: Status
    /// How many bytes the body has.
    let bodyBytes: Int64
    /// The file behind `bytes`, and the stretch of it that is sent.
    let file: (SharedFile, ByteSlice)?
    private(set) var bytes: [UInt8]
    /// How many bytes of the file are looked for in the page cache.
    private static let lookedAtBytes: Int64 = 4 << 20
    /// Until when the beginning of the file counts as being in the page cache.
    private var cachedUntil = Duration.zero
    private let dateStart: Int
    private var second: Int64

    /// - Parameters:
    ///   - bytes: the head, and the body unless it comes from `file`.
    ///   - dateStart: where the value of `Date` begins in `bytes`.
    ///   - second: the one that it tells.
    init(
        status: Status, bytes: [UInt8], dateStart: Int, second: Int64, bodyBytes: Int64, file: (SharedFile, ByteSlice)? = nil
    ) {
        self.status = status
        self.bytes = bytes
        self.dateStart = dateStart
        self.second = second
        self.bodyBytes = bodyBytes
        self.file = file
    }

    /// How many bytes of it are sent from memory.
    var inMemory: Int64 { Int64(self.bytes.count) }

    /// Whether the first `sent` bytes are all. A file may be so long that it has no sum with its head.
    func isAll(_ sent: Int64) -> Bool { sent >= self.inMemory && sent - self.inMemory >= self.file?.1.length ?? 0 }

    /// How many bytes of the body are among the first `sent`.
    func bodyBytes(among sent: Int64) -> Int64 {
        max(0, sent - (self.file == nil ? self.inMemory - self.bodyBytes : self.inMemory))
    }

    /// Whether the beginning of the file is in the page cache, or was just now: the kernel is asked fifty times a second at most. Who throws
    /// pages out that are in use all the time can make the loop wait for the disk once.
    func isCached(at now: Duration) -> Bool {
        guard now >= self.cachedUntil, let (file, slice) = self.file else { return true }
        let length = min(slice.length, Self.lookedAtBytes)
        guard PageCache.holds(file.descriptor, offset: slice.offset, length: length) else { return false }
        self.cachedUntil = now + .milliseconds(20)
        return true
    }

    /// Whether ``isCached(at:)`` has said so just now, of all that is sent.
    func isWhollyCached(at now: Duration) -> Bool {
        guard let (_, slice) = self.file else { return true }
        return now < self.cachedUntil && slice.length <= Self.lookedAtBytes
    }

    /// Lets the answer tell another second, in place: all dates are equally long.
    func setDate(_ date: String, of second: Int64) {
        guard second != self.second else { return }
        self.second = second
        // Taken out and put back, so that there is one holder and nothing is copied.
        var bytes = self.bytes
        self.bytes = []
        var index = self.dateStart
        for byte in date.utf8 {
            bytes[index] = byte
            index += 1
        }
        self.bytes = bytes
    }
}
