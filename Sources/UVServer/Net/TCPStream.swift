internal import CUV
internal import Glibc

/// A connected TCP socket, and the one watch that its receiving and sending share.
///
/// Reading: while ``resumeReading()`` is in force, received bytes queue as chunks, at most `maximumChunks`; then reading
/// pauses until some are taken, so a fast sender costs a fixed number of buffers. ``read()`` waits for the next chunk; when
/// nobody waits, ``receiver`` may use them at once, and else ``onInput`` is called, so an idle connection needs neither a task nor a
/// buffer.
///
/// libuv watches the socket (`uv_poll_t`), and the calls are our own: its streams can send no files, and a descriptor is watched once
/// (docs/decisions/0002). Ownership: libuv holds one reference from `init` until its close callback.
@EventLoop @safe public final class TCPStream {
    private let handle: UnsafeMutablePointer<uv_poll_t>
    /// Valid while the stream is open.
    let descriptor: CInt
    /// The address at the other end.
    public let peer: SocketAddress
    private(set) var isOpen = true
    private var received = RingQueue<ByteChunk>()
    /// How many chunks `received` holds.
    private var waiting = 0
    private var ending: Ending?
    /// What has been received so far, in bytes.
    private(set) var receivedBytes: Int64 = 0
    private var reader: CheckedContinuation<Void, Never>?
    private var writer: CheckedContinuation<Void, Never>?
    private var isReading = false
    private(set) var isWriting = false
    /// What libuv has been asked to watch for.
    private var watched: CInt = 0
    /// Where every stream receives that has no body on its way: what is not used at once is copied out.
    private static let scratch = IOBuffer(capacity: IOBuffer.smallBytes)

    /// Why no more bytes will come.
    private enum Ending {
        case endOfInput
        case failed(UVError)
    }

    /// How many received chunks wait at most.
    private let maximumChunks = 2
    private var bufferBytes = IOBuffer.smallBytes
    /// The size of the next receive buffer, in bytes.
    public var receiveBytes: Int {
        get { self.bufferBytes }
        set { self.bufferBytes = newValue }
    }
    /// Offered first what is received while nobody is in ``read()`` and nothing waits. Held until the stream is closed.
    var receiver: (any BytesReceiver)?
    /// Called when input (bytes, its end, or an error) waits and nobody is in ``read()``.
    public var onInput: (@EventLoop () -> Void)?

    /// Takes over a socket that does not block. It is closed when this fails.
    init(owning socket: consuming OwnedFile, peer: SocketAddress) throws(UVError) {
        self.peer = peer
        self.descriptor = socket.descriptor
        unsafe self.handle = .allocate(capacity: 1)
        let code = unsafe uv_poll_init(EventLoop.shared.executor.loop, self.handle, socket.descriptor)
        guard code == 0 else {
            unsafe self.handle.deallocate()
            throw UVError(code: code, call: "uv_poll_init")
        }
        _ = socket.release()
        unsafe self.handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    }

    // MARK: Watching

    /// Asks libuv for what is waited for now, and for no more: what is ready and not taken would wake the loop again and again.
    private func watch() {
        guard self.isOpen else { return }
        let wanted = (self.isReading ? CInt(UV_READABLE.rawValue) : 0) | (self.isWriting ? CInt(UV_WRITABLE.rawValue) : 0)
        guard wanted != self.watched else { return }
        self.watched = wanted
        if wanted == 0 {
            _ = unsafe uv_poll_stop(self.handle)
        } else {
            // Fails only for a handle that is closing.
            _ = unsafe uv_poll_start(self.handle, wanted, streamDidPoll)
        }
    }

    fileprivate func didPoll(_ status: CInt, _ events: CInt) {
        // libuv has stopped watching a socket that has failed; which failure it is, the next call on it tells.
        if status < 0 { self.watched = 0 }
        let isReadable = status < 0 || events & CInt(UV_READABLE.rawValue) != 0
        let isWritable = status < 0 || events & CInt(UV_WRITABLE.rawValue) != 0
        if isReadable, self.isReading { self.receive() }
        guard isWritable, self.isWriting else { return self.watch() }
        if let writer = self.writer {
            self.writer = nil
            writer.resume()
        } else {
            // Whoever writes waits for something else.
            self.isWriting = false
        }
        self.watch()
    }

    /// Returns when the socket takes bytes again, in a later turn of the loop at the earliest. To be followed by ``endWriting()`` when
    /// all is written.
    /// - Throws: `ECANCELED` when the stream was closed.
    func untilWritable() async throws(UVError) {
        guard self.isOpen else { throw UVError(code: UV_ECANCELED.rawValue, call: "send") }
        await withCheckedContinuation { writer in
            // Looked at again in here: a task from outside may be suspended on its way in (docs/decisions/0001).
            guard self.isOpen else { return writer.resume() }
            precondition(self.writer == nil, "a stream has one writer")
            self.writer = writer
            self.isWriting = true
            self.watch()
        }
        guard self.isOpen else { throw UVError(code: UV_ECANCELED.rawValue, call: "send") }
    }

    func endWriting() {
        guard self.isWriting else { return }
        self.isWriting = false
        self.watch()
    }

    // MARK: Reading

    /// Takes bytes from the socket from now on.
    public func resumeReading() {
        guard self.isOpen, !self.isReading, self.ending == nil, self.waiting < self.maximumChunks else { return }
        self.isReading = true
        self.watch()
    }

    private func pauseReading() {
        guard self.isReading else { return }
        self.isReading = false
        self.watch()
    }

    /// Takes once what has come.
    private func receive() {
        let isBulk = self.bufferBytes != IOBuffer.smallBytes
        let block = isBulk ? IOBuffer(capacity: self.bufferBytes) : Self.scratch
        let count = unsafe recv(self.descriptor, block.base, block.capacity, 0)
        if count > 0 {
            self.receivedBytes &+= Int64(count)
            let chunk = ByteChunk(block, 0..<count)
            if isBulk {
                self.append(chunk)
            } else {
                if self.reader == nil, self.waiting == 0, let receiver = self.receiver,
                    chunk.withSpan({ receiver.didReceive($0) })
                {
                    return
                }
                // Closed meanwhile: nobody will read it.
                guard self.isOpen else { return }
                self.append(chunk.copied())
            }
            if self.waiting >= self.maximumChunks { self.pauseReading() }
            self.wakeReader()
        } else if count == 0 {
            self.finishInput(.endOfInput)
        } else if errno != EAGAIN, errno != EINTR {
            self.finishInput(.failed(UVError.last("recv")))
        }
    }

    private func append(_ chunk: ByteChunk) {
        self.received.append(chunk)
        self.waiting += 1
    }

    private func finishInput(_ ending: Ending) {
        self.pauseReading()
        if self.ending == nil { self.ending = ending }
        self.wakeReader()
    }

    private func wakeReader() {
        guard let reader = self.reader else { return self.onInput?() ?? () }
        self.reader = nil
        reader.resume()
    }

    /// Whether ``read()`` would return at once.
    public var hasInput: Bool { self.waiting > 0 || self.ending != nil }

    /// Whether the connection has broken or was closed here, as far as is known. One whose peer has finished sending has not.
    var isBroken: Bool {
        if case .failed? = self.ending { return true }
        return !self.isOpen
    }

    /// Whether received bytes wait.
    public var hasBytes: Bool { self.waiting > 0 }

    /// Whether bytes have come that nobody has taken, be it from here or from the kernel.
    public var hasUnreadInput: Bool {
        guard self.waiting == 0 else { return true }
        var byte: UInt8 = 0
        return unsafe self.isOpen && recv(self.descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) > 0
    }

    /// The next received chunk; `nil` once the peer has finished sending.
    ///
    /// - Throws: `UVError` when the connection broke or was closed here.
    public func read() async throws(UVError) -> ByteChunk? {
        if !self.hasInput {
            precondition(self.reader == nil, "a stream has one reader")
            self.resumeReading()
            await withCheckedContinuation { reader in
                if self.hasInput { reader.resume() } else { self.reader = reader }
            }
        }
        if let chunk = self.received.popFirst() {
            self.waiting -= 1
            self.resumeReading()
            return chunk
        }
        if case .failed(let error)? = self.ending { throw error }
        return nil
    }

    /// Puts back what a reader took and did not use; the next ``read()`` returns it.
    public func unread(_ chunk: ByteChunk) {
        guard !chunk.isEmpty else { return }
        self.received.prepend(chunk)
        self.waiting += 1
    }

    /// Ends a waiting ``read()`` with ETIMEDOUT, and every later one until ``forgetInterruption()``; writing stays possible.
    public func interruptReading() { self.finishInput(.failed(UVError(code: UV_ETIMEDOUT.rawValue, call: "read"))) }

    /// Reads again after ``interruptReading()``.
    func forgetInterruption() {
        if case .failed(UVError(code: UV_ETIMEDOUT.rawValue, call: ""))? = self.ending { self.ending = nil }
    }

    // MARK: Writing

    /// Sends `bytes`, and waits until the kernel has them all.
    ///
    /// - Throws: `UVError` when the peer is gone or the stream was closed.
    public func write(_ bytes: [UInt8]) async throws(UVError) {
        var sent = try self.writeNow(bytes)
        guard sent < bytes.count else { return }
        defer { self.endWriting() }
        while sent < bytes.count {
            try await self.untilWritable()
            sent += try SocketWrite.send(bytes, from: sent, to: self.descriptor)
        }
    }

    /// Sends a chunk, and waits until the kernel has all of it.
    ///
    /// - Throws: as ``write(_:)``.
    public func write(_ chunk: ByteChunk) async throws(UVError) {
        guard self.isOpen else { throw UVError(code: UV_ECANCELED.rawValue, call: "send") }
        var sent = try SocketWrite.send(chunk, to: self.descriptor)
        guard sent < chunk.count else { return }
        defer { self.endWriting() }
        while sent < chunk.count {
            try await self.untilWritable()
            sent += try SocketWrite.send(chunk, from: sent, to: self.descriptor)
        }
    }

    /// Sends what the socket takes of `bytes` without any wait.
    ///
    /// - Returns: how many it took; 0 also while an earlier write waits.
    /// - Throws: as ``write(_:)``.
    func writeNow(_ bytes: [UInt8]) throws(UVError) -> Int {
        guard self.isOpen else { throw UVError(code: UV_ECANCELED.rawValue, call: "send") }
        guard !self.isWriting else { return 0 }
        return try SocketWrite.send(bytes, to: self.descriptor)
    }

    // MARK: Closing

    /// Says that no more bytes will be sent, and leaves reading open (RFC 9112 section 9.6).
    public func finishWriting() {
        guard self.isOpen else { return }
        _ = Glibc.shutdown(self.descriptor, CInt(SHUT_WR))
    }

    /// Closes the socket; what waits in ``read()``, ``write(_:)`` or ``sendFile`` ends with an error. Idempotent.
    public func close() {
        guard self.isOpen else { return }
        self.isOpen = false
        self.isReading = false
        self.isWriting = false
        self.onInput = nil
        self.receiver = nil
        if self.ending == nil { self.ending = .failed(UVError(code: UV_ECANCELED.rawValue, call: "recv")) }
        let (reader, writer) = (self.reader, self.writer)
        self.reader = nil
        self.writer = nil
        reader?.resume()
        writer?.resume()
        let raw = unsafe UnsafeMutableRawPointer(self.handle).assumingMemoryBound(to: uv_handle_t.self)
        unsafe uv_close(raw) { handle in
            let stream = unsafe Unmanaged<TCPStream>.fromOpaque(handle!.pointee.data).takeRetainedValue()
            EventLoop.assumeIsolated { unsafe stream.handle.deallocate() }
        }
        // libuv has let go of it already.
        _ = Glibc.close(self.descriptor)
    }
}

// What happens with every request goes another way than `EventLoop.assumeIsolated`, which costs an allocation: from a free function, since
// a closure that is written inside the actor begins by asking the runtime about its thread, through a function made once.

private func streamDidPoll(_ handle: UnsafeMutablePointer<uv_poll_t>?, _ status: CInt, _ events: CInt) {
    let executor = EventLoop.shared.executor
    executor.enter()
    unsafe didPoll(Unmanaged<TCPStream>.fromOpaque(handle!.pointee.data).takeUnretainedValue(), status, events)
    executor.runLocal()
}

private typealias DidPoll = (TCPStream, CInt, CInt) -> Void

// Safe: called after the thread was checked, which is the isolation that the cast drops.
private nonisolated(unsafe) let didPoll = unsafe unsafeBitCast(
    { $0.didPoll($1, $2) } as @EventLoop (TCPStream, CInt, CInt) -> Void, to: DidPoll.self)
