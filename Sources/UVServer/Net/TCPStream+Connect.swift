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
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = OwnedFile(owning: try checkErrno(Glibc.socket(address.isIPv6 ? AF_INET6 : AF_INET, kind, 0), "socket"))
        // The window that the first packet announces follows from the buffer.
        if let receiveBuffer { try SocketOption.set(SO_RCVBUF, to: receiveBuffer, of: socket.descriptor) }
        // Whoever sends whole messages only waits when the kernel does.
        try SocketOption.set(TCP_NODELAY, of: socket.descriptor, level: CInt(IPPROTO_TCP))
        let code = unsafe address.withSockaddr { unsafe Glibc.connect(socket.descriptor, $0, address.length) }
        if code != 0, errno != EINPROGRESS { throw UVError.last("connect") }
        let stream = try TCPStream(owning: socket, peer: address)
        var isLate = false
        let limit = LoopTimer(every: patience) {
            isLate = true
            stream.close()
        }
        defer { limit.stop() }
        do throws(UVError) {
            try await stream.untilWritable()
            stream.endWriting()
            let failure = try SocketOption.value(of: SO_ERROR, stream.descriptor)
            guard failure == 0 else { throw UVError(code: -failure, call: "connect") }
            return stream
        } catch {
            stream.close()
            throw isLate ? UVError(code: UV_ETIMEDOUT.rawValue, call: "connect") : error
        }
    }
}
