internal import CUV
internal import Glibc

extension TCPStream {
    /// How many bytes the peer's system has acknowledged so far; `nil` before the first, and where the kernel does not count them. Those
    /// are fewer than the kernel has taken, by megabytes.
    var acknowledgedBytes: Int64? {
        guard self.isOpen else { return nil }
        // `tcpi_bytes_acked` of Linux's `tcp_info`, of which glibc's ends before it.
        let offset = 120
        var info = [UInt8](repeating: 0, count: offset + 8)
        var length = socklen_t(info.count)
        let code = unsafe getsockopt(self.descriptor, CInt(IPPROTO_TCP), TCP_INFO, &info, &length)
        guard code == 0, length == info.count else { return nil }
        let count = unsafe info.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: Int64.self) }
        return count > 0 ? count : nil
    }

    /// Whether the kernel still has the connection. Asks it, which also shows a reset that nobody is told of who neither reads nor writes.
    /// An end of input alone leaves a connection connected.
    public var isConnected: Bool {
        guard self.isOpen else { return false }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getpeername(self.descriptor, $0, &length)
            }
        } == 0
    }
}
