/// An answer as it goes out, the first time and every time that it is remembered: its head and, where it is small, its body as bytes,
/// and a large body as stretches of an open file.
@EventLoop final class PreparedAnswer {
    let status: Status
    /// How many bytes the body has.
    let bodyBytes: Int64
    /// The file behind `bytes`, and the stretch of it that is sent.
    let file: (SharedFile, ByteSlice)?
    /// What follows that stretch: others of the same file, and the heads between them.
    let rest: [ResponseBody.Piece]
    private(set) var bytes: [UInt8]
    /// How many of `bytes` are the head.
    private let headBytes: Int64
    /// How many bytes of the file are looked for in the page cache at once.
    private static let lookedAtBytes: Int64 = 4 << 20
    /// Until when what was looked for counts as being in the page cache.
    private var cachedUntil = Duration.zero
    private let dateStart: Int
    private var second: Int64

    /// - Parameters:
    ///   - bytes: the head, and as much of the body as comes before `file`.
    ///   - dateStart: where the value of `Date` begins in `bytes`.
    ///   - second: the one that it tells.
    init(
        status: Status, bytes: [UInt8], headBytes: Int, dateStart: Int, second: Int64, bodyBytes: Int64,
        file: (SharedFile, ByteSlice)? = nil, rest: [ResponseBody.Piece] = []
    ) {
        self.status = status
        self.bytes = bytes
        self.headBytes = Int64(headBytes)
        self.dateStart = dateStart
        self.second = second
        self.bodyBytes = bodyBytes
        self.file = file
        self.rest = rest
    }

    /// How many bytes of it are sent from memory.
    var inMemory: Int64 { Int64(self.bytes.count) }

    /// Whether the first `sent` bytes are all. A file may be so long that it has no sum with its head.
    func isAll(_ sent: Int64) -> Bool {
        self.rest.isEmpty && sent >= self.inMemory && sent - self.inMemory >= self.file?.1.length ?? 0
    }

    /// How many bytes of the body are among the first `sent`.
    func bodyBytes(among sent: Int64) -> Int64 { max(0, sent - self.headBytes) }

    /// Whether what is sent of the file, or its beginning when that is much, is in the page cache, or was just now: the kernel is asked
    /// fifty times a second at most. Who throws pages out that are in use all the time can make the loop wait for the disk once.
    func isCached(at now: Duration) -> Bool {
        guard now >= self.cachedUntil, let (file, slice) = self.file else { return true }
        func holds(_ slice: ByteSlice) -> Bool {
            PageCache.holds(file.descriptor, offset: slice.offset, length: min(slice.length, Self.lookedAtBytes))
        }
        guard holds(slice) else { return false }
        if self.isLookedAtWhole {
            for case .slice(let slice) in self.rest where !holds(slice) { return false }
        }
        self.cachedUntil = now + .milliseconds(20)
        return true
    }

    private var isLookedAtWhole: Bool { self.bodyBytes <= Self.lookedAtBytes }

    /// Whether ``isCached(at:)`` has said so just now, of all that is sent.
    func isWhollyCached(at now: Duration) -> Bool { self.file == nil || now < self.cachedUntil && self.isLookedAtWhole }

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
