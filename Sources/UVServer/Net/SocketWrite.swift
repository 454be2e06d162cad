internal import Glibc

/// Single attempts to write to a non-blocking socket. send(2) rather than write(2): it skips what the kernel does for files alone.
enum SocketWrite {
    /// - Parameters:
    ///   - start: where to begin in `bytes`.
    ///   - moreFollows: keeps a packet that is not full back, for what is written next.
    /// - Returns: how many bytes the socket took; 0 when it is full.
    static func send(_ bytes: [UInt8], from start: Int = 0, to socket: CInt, moreFollows: Bool = false) throws(UVError) -> Int {
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT) | (moreFollows ? CInt(MSG_MORE) : 0)
        let sent = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(socket, $0.baseAddress! + start, $0.count - start, flags) }
        return try self.count(sent, "send") ?? 0
    }

    /// - Returns: how many bytes of `chunk` behind the first `start` the socket took; 0 when it is full.
    static func send(_ chunk: ByteChunk, from start: Int = 0, to socket: CInt) throws(UVError) -> Int {
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
        // Safe: the chunk is held during the call.
        let sent = unsafe Glibc.send(socket, chunk.base + start, chunk.count - start, flags)
        return try self.count(sent, "send") ?? 0
    }

    /// - Returns: how many bytes from `offset` of `file` the socket took: 0 when the file has ended, `nil` when the socket is full.
    static func send(file: CInt, offset: Int64, length: Int64, to socket: CInt) throws(UVError) -> Int64? {
        var position = off_t(offset)
        return try self.count(unsafe sendfile(socket, file, &position, Int(length)), "sendfile").map { Int64($0) }
    }

    private static func count(_ result: Int, _ call: StaticString) throws(UVError) -> Int? {
        guard result < 0 else { return result }
        guard errno == EAGAIN || errno == EINTR else { throw UVError.last(call) }
        return nil
    }
}
