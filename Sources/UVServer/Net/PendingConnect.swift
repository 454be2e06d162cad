internal import CUV

/// A connection that is being made: libuv's request lives here until its callback, which frees it.
@EventLoop @safe final class PendingConnect {
    private let request: UnsafeMutablePointer<uv_connect_t>
    private let continuation: CheckedContinuation<CInt, Never>

    private init(_ continuation: CheckedContinuation<CInt, Never>) {
        self.continuation = continuation
        unsafe self.request = .allocate(capacity: 1)
    }

    /// The continuation gets libuv's status when the connection stands or has failed.
    static func start(
        _ handle: UnsafeMutablePointer<uv_tcp_t>, _ address: SocketAddress, _ continuation: CheckedContinuation<CInt, Never>
    ) {
        let connect = PendingConnect(continuation)
        unsafe connect.request.pointee.data = Unmanaged.passRetained(connect).toOpaque()
        let code = unsafe address.withSockaddr { address in
            unsafe uv_tcp_connect(connect.request, handle, address) { request, status in
                let connect = unsafe Unmanaged<PendingConnect>.fromOpaque(request!.pointee.data).takeRetainedValue()
                EventLoop.assumeIsolated { connect.finish(status) }
            }
        }
        if code != 0 {
            unsafe Unmanaged.passUnretained(connect).release()
            connect.finish(code)
        }
    }

    private func finish(_ status: CInt) {
        unsafe self.request.deallocate()
        self.continuation.resume(returning: status)
    }
}
