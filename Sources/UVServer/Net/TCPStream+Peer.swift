internal import CUV
internal import Glibc

extension TCPStream {
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
