internal import Glibc

/// Writes log lines to a descriptor from the pool, in batches: a slow reader of the log never holds the loop.
@EventLoop public final class LogWriter {
    /// The most that waits for a slow reader, in bytes; lines beyond are counted and dropped.
    private static let waitingBytes = 1 << 20

    private let descriptor: CInt
    private var waiting: [UInt8] = []
    private var isWriting = false
    private var dropped = 0

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
            await BlockingWork.run(.log) { Self.writeAll(bytes, to: descriptor) }
        }
        self.isWriting = false
    }

    /// Writes what still waits, on the calling thread: for the end of the program. Whoever does not read for a second gets
    /// no more, so that a stalled reader of the log cannot keep a program from ending.
    public func flush() {
        var rest = self.waiting[...]
        self.waiting = []
        while !rest.isEmpty {
            var entry = pollfd(fd: self.descriptor, events: CShort(POLLOUT), revents: 0)
            guard unsafe poll(&entry, 1, 1000) > 0 else { return }
            // A pipe that is writable takes this much without blocking (pipe(7), PIPE_BUF).
            let piece = Array(rest.prefix(4096))
            Self.writeAll(piece, to: self.descriptor)
            rest = rest.dropFirst(piece.count)
        }
    }

    /// Writes `lines` on the calling thread, before it returns: for what a person or a script waits for.
    public func flush(_ lines: [String]) {
        for line in lines { self.waiting += "\(line)\n".utf8 }
        self.flush()
    }

    private nonisolated static func writeAll(_ bytes: [UInt8], to descriptor: CInt) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // Nowhere to say that the log is gone.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
