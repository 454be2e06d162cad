internal import CUV
internal import Glibc

extension TCPStream {
    /// Connects to `address`, and gives up after `patience`.
    ///
    /// - Parameter receiveBuffer: SO_RCVBUF in bytes, for a client that takes little; the kernel doubles it, and has its own least.
    ///   `nil` leaves the size to the kernel, which lets it grow.
    /// - Throws: `UVError`: nobody listens there, the network cannot reach it, or (ETIMEDOUT) nobody answered in time.
    public static func connect(
        to address: SocketAddress, receiveBuffer: CInt? = nil, within patience: Duration = .seconds(30)
    ) async throws(UVError) -> TCPStream {
        // The window that the first packet announces follows from the buffer, so the socket is made before it connects.
        let stream = try TCPStream(family: CInt(address.storage.ss_family))
        if var bytes = receiveBuffer {
            let raw = unsafe UnsafeMutableRawPointer(stream.handle).assumingMemoryBound(to: uv_handle_t.self)
            _ = unsafe uv_recv_buffer_size(raw, &bytes)
        }
        // Whoever sends whole messages only waits when the kernel does.
        unsafe uv_tcp_nodelay(stream.handle, 1)
        var isLate = false
        let limit = LoopTimer(every: patience) {
            isLate = true
            stream.close()
        }
        let code = await withCheckedContinuation { continuation in
            unsafe PendingConnect.start(stream.handle, address, continuation)
        }
        limit.stop()
        guard code == 0 else {
            stream.close()
            throw UVError(code: isLate ? UV_ETIMEDOUT.rawValue : code, call: "connect")
        }
        return stream
    }
}
