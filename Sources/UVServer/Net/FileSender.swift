internal import CUV
internal import Glibc

/// Sends a range of one file to one socket with sendfile(2).
///
/// `uv_fs_sendfile` is not used: for a socket it copies through 8 KiB on a pool thread that it blocks in `poll`. Here one bounded
/// piece a turn goes out. When the socket's buffer is full for the first time, the socket is duplicated (libuv watches a descriptor
/// number once) and the duplicate is polled until the transfer ends. A piece that is not in the page cache is first read in the pool,
/// so a slow disk never holds the loop.
@EventLoop @safe final class FileSender {
    /// The most one turn of the loop sends, in bytes.
    private static let pieceBytes: Int64 = 512 << 10

    /// The stream's own, open until `cancel`.
    private let socket: CInt
    private var duplicate: CInt = -1
    private var poll: UnsafeMutablePointer<uv_poll_t>?
    private var isPolling = false
    private var isCancelled = false
    private var writable: CheckedContinuation<CInt, Never>?

    init(socket: CInt) { self.socket = socket }

    func send(
        file: CInt, offset: Int64, length: Int64, progressed: @EventLoop (Int64) -> Void
    ) async throws(UVError) -> Int64 {
        var position = off_t(offset)
        let end = position + off_t(length)
        while position < end {
            guard !self.isCancelled else { throw UVError(code: UV_ECANCELED.rawValue, call: "sendfile") }
            let piece = min(Int64(end - position), Self.pieceBytes)
            if !PageCache.holds(file, offset: Int64(position), length: piece) {
                let start = Int64(position)
                await BlockingWork.run(.read) { PageCache.load(file, offset: start, length: piece) }
                guard !self.isCancelled else { continue }
                // The disk was waited for, not the client.
                progressed(0)
            }
            let sent = unsafe sendfile(self.socket, file, &position, Int(piece))
            if sent == 0 { break }
            if sent > 0 {
                progressed(Int64(sent))
                guard position < end else { break }
                // A full piece means a fast reader: let the other connections have their turn.
                if Int64(sent) == piece { await EventLoop.nextTurn() } else { try await self.untilWritable() }
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: try await self.untilWritable()
            default: throw UVError.last("sendfile")
            }
        }
        return Int64(position) - offset
    }

    /// The first turn of an answer: its head, kept back until the first bytes of the file fill its packet, and then these.
    ///
    /// - Returns: how many bytes of both together the socket took; 0 where the file is not in the page cache.
    static func begin(
        _ head: [UInt8], then file: CInt, offset: Int64, length: Int64, on socket: CInt
    ) throws(UVError) -> Int64 {
        // The head counts as well, so that the next turn begins within a page: such turns are cheaper (bench/README.md).
        let piece = min(length, self.pieceBytes - Int64(head.count))
        guard PageCache.holds(file, offset: offset, length: piece) else { return 0 }
        let sent = try SocketWrite.send(head, to: socket, moreFollows: true)
        guard sent == head.count else { return Int64(sent) }
        return Int64(sent) + (try SocketWrite.send(file: file, offset: offset, length: piece, to: socket))
    }

    private func untilWritable() async throws(UVError) {
        // A turn may have ended the stream, and its descriptor may be another's by now.
        guard !self.isCancelled else { return }
        if unsafe self.poll == nil { try self.makePoll() }
        let code = await withCheckedContinuation { continuation in
            self.writable = continuation
            guard !self.isPolling else { return }
            self.isPolling = true
            let code = unsafe uv_poll_start(self.poll, CInt(UV_WRITABLE.rawValue)) { poll, status, _ in
                let sender = unsafe Unmanaged<FileSender>.fromOpaque(poll!.pointee.data).takeUnretainedValue()
                EventLoop.assumeIsolated { sender.didPoll(status) }
            }
            if code != 0 { self.didPoll(code) }
        }
        try check(code, "uv_poll")
    }

    private func makePoll() throws(UVError) {
        let duplicate = try checkErrno(shim_duplicate(self.socket), "fcntl")
        let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
        let code = unsafe uv_poll_init(EventLoop.shared.executor.loop, poll, duplicate)
        guard code == 0 else {
            unsafe poll.deallocate()
            _ = Glibc.close(duplicate)
            throw UVError(code: code, call: "uv_poll_init")
        }
        unsafe poll.pointee.data = Unmanaged.passRetained(self).toOpaque()
        self.duplicate = duplicate
        unsafe self.poll = poll
    }

    private func didPoll(_ status: CInt) {
        guard let writable = self.writable.take() else {
            // Nobody waits (a cold piece is being read): stop, or a writable socket would spin the loop.
            if let poll = unsafe self.poll { unsafe uv_poll_stop(poll) }
            self.isPolling = false
            return
        }
        writable.resume(returning: status)
    }

    /// Ends a running ``send`` with an error. The socket is not touched any more.
    func cancel() {
        self.isCancelled = true
        self.writable.take()?.resume(returning: UV_ECANCELED.rawValue)
    }

    /// Closes the duplicate. Called once, when no `send` is running.
    func close() {
        guard let poll = unsafe self.poll else { return }
        let raw = unsafe UnsafeMutableRawPointer(poll).assumingMemoryBound(to: uv_handle_t.self)
        unsafe uv_close(raw) { handle in
            let sender = unsafe Unmanaged<FileSender>.fromOpaque(handle!.pointee.data).takeRetainedValue()
            EventLoop.assumeIsolated { sender.didClose() }
        }
    }

    private func didClose() {
        unsafe self.poll?.deallocate()
        _ = Glibc.close(self.duplicate)
    }
}
