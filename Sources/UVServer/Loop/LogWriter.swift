internal import Glibc

/// Writes log lines to a descriptor from the pool, in batches: a slow reader of the log never holds the loop. Lines of up to
/// `wholeBytes` stay whole where several processes write to one pipe.
@EventLoop public final class LogWriter {
    /// The most that waits for a slow reader, in bytes; lines beyond are counted and dropped.
    private static let waitingBytes = 1 << 20

    /// What a pipe takes in one piece (pipe(7), PIPE_BUF).
    public nonisolated static let wholeBytes = 4096

    private let descriptor: CInt
    private var waiting: [UInt8] = []
    private var isWriting = false
    private var dropped = 0
    private var finishing: [CheckedContinuation<Void, Never>] = []
    private var patience: LoopTimer?

    public init(descriptor: CInt) { self.descriptor = descriptor }

    /// Queues one line; the line end is added.
    public func write(_ line: String) {
        guard self.waiting.count < Self.waitingBytes else {
            self.dropped += 1
            return
        }
        if self.dropped > 0 {
            self.waiting += "\(self.dropped) log lines were dropped: they were not read fast enough\n".utf8
            self.dropped = 0
        }
        self.waiting += line.utf8
        self.waiting.append(ASCII.lineFeed)
        guard !self.isWriting else { return }
        self.isWriting = true
        EventLoop.spawn { await self.drain() }
    }

    private func drain() async {
        while !self.waiting.isEmpty {
            let (bytes, descriptor) = (self.waiting, self.descriptor)
            self.waiting = []
            await BlockingWork.run(.log) { Self.writeLines(bytes, to: descriptor) }
        }
        self.isWriting = false
        self.endFinishing()
    }

    /// Waits until every line has been written, but no longer than `patience`: a stalled reader of the log must not keep a program
    /// from ending.
    public func finish(within patience: Duration) async {
        guard self.isWriting else { return }
        if self.patience == nil { self.patience = LoopTimer(every: patience) { self.endFinishing() } }
        await withCheckedContinuation { waiter in
            if self.isWriting { self.finishing.append(waiter) } else { waiter.resume() }
        }
    }

    private func endFinishing() {
        self.patience?.stop()
        self.patience = nil
        for waiter in self.finishing { waiter.resume() }
        self.finishing = []
    }

    /// Writes `lines` on the calling thread, before it returns: for what a person or a script waits for, where nobody else writes to
    /// the descriptor. Whoever does not read for a second gets no more.
    public func writeNow(_ lines: [String]) {
        var rest = Array(lines.map { "\($0)\n" }.joined().utf8)[...]
        while !rest.isEmpty {
            var entry = pollfd(fd: self.descriptor, events: CShort(POLLOUT), revents: 0)
            guard unsafe poll(&entry, 1, 1000) > 0 else { return }
            // A pipe that is writable takes this much without blocking.
            let piece = rest.prefix(Self.wholeLines(rest))
            Self.writeAll(piece, to: self.descriptor)
            rest = rest.dropFirst(piece.count)
        }
    }

    private nonisolated static func writeLines(_ bytes: [UInt8], to descriptor: CInt) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.wholeLines(rest))
            Self.writeAll(piece, to: descriptor)
            rest = rest.dropFirst(piece.count)
        }
    }

    /// How many bytes are written at once: as many whole lines as a pipe takes in one piece, and of a longer line just a piece.
    private nonisolated static func wholeLines(_ bytes: ArraySlice<UInt8>) -> Int {
        let piece = bytes.prefix(Self.wholeBytes)
        guard let end = piece.lastIndex(of: ASCII.lineFeed) else { return piece.count }
        return end + 1 - bytes.startIndex
    }

    private nonisolated static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // A pipe that whoever made it has made non-blocking.
            if count < 0, errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: CShort(POLLOUT), revents: 0)
                if unsafe poll(&entry, 1, 1000) > 0 { continue }
                return
            }
            // Nowhere to say that the log is gone.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
