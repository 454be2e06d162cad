internal import CUV

/// What the socket did not take at once: its bytes live here until libuv's callback, which also frees the request.
@EventLoop @safe final class PendingWrite {
    private let request: UnsafeMutablePointer<uv_write_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let continuation: CheckedContinuation<CInt, Never>

    private init(_ bytes: [UInt8], _ continuation: CheckedContinuation<CInt, Never>) {
        self.continuation = continuation
        unsafe self.request = .allocate(capacity: 1)
        unsafe self.bytes = .allocate(capacity: bytes.count)
        _ = unsafe self.bytes.initialize(from: bytes)
    }

    /// Queues `bytes`; the continuation gets libuv's status when the kernel has them all or the stream failed.
    static func start(
        _ bytes: [UInt8], on stream: UnsafeMutablePointer<uv_stream_t>, _ continuation: CheckedContinuation<CInt, Never>
    ) {
        let write = PendingWrite(bytes, continuation)
        unsafe write.request.pointee.data = Unmanaged.passRetained(write).toOpaque()
        let start = unsafe UnsafeMutableRawPointer(write.bytes.baseAddress!).assumingMemoryBound(to: CChar.self)
        var buffer = unsafe uv_buf_init(start, CUnsignedInt(clamping: bytes.count))
        let code = unsafe uv_write(write.request, stream, &buffer, 1) { request, status in
            let write = unsafe Unmanaged<PendingWrite>.fromOpaque(request!.pointee.data).takeRetainedValue()
            EventLoop.assumeIsolated { write.finish(status) }
        }
        if code != 0 {
            unsafe Unmanaged.passUnretained(write).release()
            write.finish(code)
        }
    }

    private func finish(_ status: CInt) {
        unsafe self.request.deallocate()
        unsafe self.bytes.deallocate()
        self.continuation.resume(returning: status)
    }
}
