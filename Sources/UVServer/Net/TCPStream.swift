internal import CUV
internal import Glibc

/// A connected TCP socket.
///
/// Reading: while ``resumeReading()`` is in force, received bytes queue as chunks, at most `maximumChunks`; then reading
/// pauses until some are taken, so a fast sender costs a fixed number of buffers. ``read()`` waits for the next chunk; when
/// nobody waits, ``onBytes`` may use them at once, and else ``onInput`` is called, so an idle connection needs neither a task nor a
/// buffer.
///
/// Ownership: libuv holds one reference from `init` until its close callback.
@EventLoop @safe public final class TCPStream {
    let handle: UnsafeMutablePointer<uv_tcp_t>
    /// The socket, libuv's own, while the stream is open.
    private var descriptor: CInt = -1
    private var isOpen = true
    private var received = RingQueue<ByteChunk>()
    private var ending: Ending?
    private var reader: CheckedContinuation<Void, Never>?
    private var isReading = false
    private var filling: IOBuffer?
    /// Where every stream receives that has no body on its way: what is not used at once is copied out.
    private static let scratch = IOBuffer(capacity: IOBuffer.smallBytes)
    private var sender: FileSender?

    /// Why no more bytes will come.
    private enum Ending {
        case endOfInput
        case failed(UVError)
    }

    /// How many received chunks wait at most.
    private let maximumChunks = 2
    /// The size of the next receive buffer, in bytes.
    public var receiveBytes = IOBuffer.smallBytes
    /// Lent what has just been received, when nobody is in ``read()`` and nothing waits. Returns whether it was used, all of it.
    var onBytes: (@EventLoop (Span<UInt8>) -> Bool)?
    /// Called when input (bytes, its end, or an error) waits and nobody is in ``read()``.
    public var onInput: (@EventLoop () -> Void)?

    /// Neither connected nor accepted yet. With a `family`, `AF_INET` or `AF_INET6`, it has its socket at once.
    init(family: CInt = AF_UNSPEC) throws(UVError) {
        unsafe self.handle = .allocate(capacity: 1)
        let initialised = unsafe uv_tcp_init_ex(EventLoop.shared.executor.loop, self.handle, CUnsignedInt(family))
        guard initialised == 0 else {
            unsafe self.handle.deallocate()
            throw UVError(code: initialised, call: "uv_tcp_init_ex")
        }
        unsafe self.handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
        guard family != AF_UNSPEC else { return }
        do throws(UVError) { try self.findDescriptor() } catch {
            self.close()
            throw error
        }
    }

    convenience init(acceptingFrom server: UnsafeMutablePointer<uv_stream_t>) throws(UVError) {
        try self.init()
        do throws(UVError) {
            try check(unsafe uv_accept(server, self.stream), "uv_accept")
            // Heads and bodies are written whole, so waiting for more to send only adds delay.
            unsafe uv_tcp_nodelay(self.handle, 1)
            try self.findDescriptor()
        } catch {
            self.close()
            throw error
        }
    }

    private func findDescriptor() throws(UVError) {
        let raw = unsafe UnsafeMutableRawPointer(self.handle).assumingMemoryBound(to: uv_handle_t.self)
        try check(unsafe uv_fileno(raw, &self.descriptor), "uv_fileno")
    }

    private var stream: UnsafeMutablePointer<uv_stream_t> {
        unsafe UnsafeMutableRawPointer(self.handle).assumingMemoryBound(to: uv_stream_t.self)
    }

    /// The peer's address; `nil` once the connection is gone.
    public var peer: SocketAddress? {
        var storage = sockaddr_storage()
        var length = CInt(MemoryLayout<sockaddr_storage>.size)
        guard self.isOpen else { return nil }
        let code = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe uv_tcp_getpeername(self.handle, $0, &length)
            }
        }
        return code == 0 ? SocketAddress(storage) : nil
    }

    // MARK: Reading

    /// Takes bytes from the socket from now on.
    public func resumeReading() {
        guard self.isOpen, !self.isReading, self.ending == nil, self.received.count < self.maximumChunks else { return }
        self.isReading = true
        let code = unsafe uv_read_start(self.stream, streamNeedsBuffer, streamDidRead)
        if code != 0 { self.finishInput(.failed(UVError(code: code, call: "uv_read_start"))) }
    }

    private func pauseReading() {
        guard self.isReading else { return }
        self.isReading = false
        unsafe uv_read_stop(self.stream)
    }

    fileprivate func provideBuffer(_ buffer: UnsafeMutablePointer<uv_buf_t>) {
        let block: IOBuffer
        if self.receiveBytes == IOBuffer.smallBytes {
            block = Self.scratch
        } else {
            block = IOBuffer(capacity: self.receiveBytes)
            self.filling = block
        }
        unsafe buffer.pointee = uv_buf_init(block.base.assumingMemoryBound(to: CChar.self), CUnsignedInt(block.capacity))
    }

    fileprivate func didRead(_ count: Int) {
        let block = self.filling
        if block != nil { self.filling = nil }
        if count > 0 {
            if let block {
                self.received.append(ByteChunk(block, 0..<count))
            } else {
                let lent = ByteChunk(Self.scratch, 0..<count)
                if self.reader == nil, self.received.isEmpty, let onBytes = self.onBytes, lent.withSpan(onBytes) { return }
                // Closed meanwhile: nobody will read it.
                guard self.isOpen else { return }
                self.received.append(lent.copied())
            }
            if self.received.count >= self.maximumChunks { self.pauseReading() }
            self.wakeReader()
        } else if count < 0 {
            let end = count == Int(UV_EOF.rawValue)
            self.finishInput(end ? .endOfInput : .failed(UVError(code: CInt(count), call: "read")))
        }
    }

    private func finishInput(_ ending: Ending) {
        self.pauseReading()
        if self.ending == nil { self.ending = ending }
        self.wakeReader()
    }

    private func wakeReader() {
        if let reader = self.reader.take() { reader.resume() } else { self.onInput?() }
    }

    /// Whether ``read()`` would return at once.
    public var hasInput: Bool { !self.received.isEmpty || self.ending != nil }

    /// Whether received bytes wait.
    public var hasBytes: Bool { !self.received.isEmpty }

    /// Whether bytes have come that nobody has taken, be it from here or from the kernel.
    public var hasUnreadInput: Bool {
        guard self.received.isEmpty else { return true }
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
            self.resumeReading()
            return chunk
        }
        if case .failed(let error)? = self.ending { throw error }
        return nil
    }

    /// Puts back what a reader took and did not use; the next ``read()`` returns it.
    public func unread(_ chunk: ByteChunk) {
        if !chunk.isEmpty { self.received.prepend(chunk) }
    }

    /// Ends a waiting ``read()`` with ETIMEDOUT, and every later one; writing stays possible.
    public func interruptReading() { self.finishInput(.failed(UVError(code: UV_ETIMEDOUT.rawValue, call: "read"))) }

    // MARK: Writing

    /// Sends `bytes` in one `write` where the socket takes them, and waits until the kernel has the rest.
    ///
    /// - Throws: `UVError` when the peer is gone or the stream was closed.
    public func write(_ bytes: [UInt8]) async throws(UVError) {
        let sent = try self.writeNow(bytes)
        if sent == bytes.count { return }
        let rest = Array(bytes[sent...])
        let code = await withCheckedContinuation { continuation in unsafe PendingWrite.start(rest, on: self.stream, continuation)
        }
        try check(code, "write")
    }

    /// Sends what the socket takes of `bytes` without any wait.
    ///
    /// - Returns: how many it took; 0 also while an earlier write waits.
    /// - Throws: as ``write(_:)``.
    func writeNow(_ bytes: [UInt8]) throws(UVError) -> Int {
        guard self.isOpen else { throw UVError(code: UV_ECANCELED.rawValue, call: "write") }
        guard unsafe uv_stream_get_write_queue_size(self.stream) == 0 else { return 0 }
        return try SocketWrite.send(bytes, to: self.descriptor)
    }

    /// Sends `head` and, in the same packets, as much of a file as one turn may and the socket takes without any wait.
    ///
    /// - Returns: how many bytes it took of both together; 0 also while an earlier write waits, and where the file is not in memory.
    /// - Throws: as ``write(_:)``.
    func writeNow(_ head: [UInt8], then file: CInt, offset: Int64, length: Int64) throws(UVError) -> Int64 {
        guard self.isOpen else { throw UVError(code: UV_ECANCELED.rawValue, call: "write") }
        guard unsafe uv_stream_get_write_queue_size(self.stream) == 0 else { return 0 }
        return try FileSender.begin(head, then: file, offset: offset, length: length, on: self.descriptor)
    }

    /// Sends `length` bytes of the open file `descriptor` from `offset`, in bounded turns of the loop.
    ///
    /// - Returns: how many were sent; fewer only when the file shrank meanwhile.
    /// - Parameter progressed: called with the bytes of each piece that the socket took, and with 0 after a wait for the disk.
    public func sendFile(
        _ descriptor: CInt, offset: Int64, length: Int64, progressed: @escaping @EventLoop (Int64) -> Void
    ) async throws(UVError) -> Int64 {
        guard self.isOpen else { throw UVError(code: UV_ECANCELED.rawValue, call: "sendfile") }
        let sender = FileSender(socket: self.descriptor)
        self.sender = sender
        defer {
            self.sender = nil
            sender.close()
        }
        return try await sender.send(file: descriptor, offset: offset, length: length, progressed: progressed)
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
        self.onInput = nil
        self.sender?.cancel()
        if self.ending == nil { self.ending = .failed(UVError(code: UV_ECANCELED.rawValue, call: "read")) }
        self.reader.take()?.resume()
        let raw = unsafe UnsafeMutableRawPointer(self.handle).assumingMemoryBound(to: uv_handle_t.self)
        unsafe uv_close(raw) { handle in
            let stream = unsafe Unmanaged<TCPStream>.fromOpaque(handle!.pointee.data).takeRetainedValue()
            EventLoop.assumeIsolated { unsafe stream.handle.deallocate() }
        }
    }
}

// What happens with every request goes another way than `EventLoop.assumeIsolated`, which costs an allocation: from free functions, since
// a closure that is written inside the actor begins by asking the runtime about its thread, through functions made once.

private func streamNeedsBuffer(
    _ handle: UnsafeMutablePointer<uv_handle_t>?, _ size: Int, _ buffer: UnsafeMutablePointer<uv_buf_t>?
) {
    let executor = EventLoop.shared.executor
    executor.enter()
    unsafe provideBuffer(Unmanaged<TCPStream>.fromOpaque(handle!.pointee.data).takeUnretainedValue(), buffer!)
    executor.runLocal()
}

private func streamDidRead(_ handle: UnsafeMutablePointer<uv_stream_t>?, _ count: Int, _ buffer: UnsafePointer<uv_buf_t>?) {
    let executor = EventLoop.shared.executor
    executor.enter()
    unsafe didRead(Unmanaged<TCPStream>.fromOpaque(handle!.pointee.data).takeUnretainedValue(), count)
    executor.runLocal()
}

private typealias ProvideBuffer = (TCPStream, UnsafeMutablePointer<uv_buf_t>) -> Void
private typealias DidRead = (TCPStream, Int) -> Void

// Safe: both are called after the thread was checked, which is the isolation that the casts drop.
private nonisolated(unsafe) let provideBuffer = unsafe unsafeBitCast(
    { unsafe $0.provideBuffer($1) } as @EventLoop (TCPStream, UnsafeMutablePointer<uv_buf_t>) -> Void, to: ProvideBuffer.self)
private nonisolated(unsafe) let didRead = unsafe unsafeBitCast(
    { $0.didRead($1) } as @EventLoop (TCPStream, Int) -> Void, to: DidRead.self)
