import Glibc
import TestSupport
import UVServer

/// A listening socket on 127.0.0.1 that does only what is asked of it.
final class RawListener {
    private let descriptor: CInt
    let address: SocketAddress

    /// - Parameter backlog: 0 lets the kernel take one connection and leave the others' first packets unanswered.
    init(backlog: CInt = 8) throws {
        self.descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let result = unsafe withUnsafeMutablePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, size) | listen(descriptor, backlog) | getsockname(descriptor, $0, &size)
            }
        }
        guard result == 0, let address = SocketAddress(host: "127.0.0.1", port: UInt16(bigEndian: name.sin_port)) else {
            throw TestFailure("listen: errno \(errno)")
        }
        self.address = address
    }

    deinit { _ = close(self.descriptor) }

    /// Accepts one connection and sends until the client's side takes no more, through a small send buffer.
    /// - Returns: how many bytes that were.
    func fillOne() throws -> Int {
        let client = accept(self.descriptor, nil, nil)
        guard client >= 0 else { throw TestFailure("accept: errno \(errno)") }
        defer { _ = close(client) }
        var bytes: CInt = 4096
        _ = unsafe setsockopt(client, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<CInt>.size))
        let block = [UInt8](repeating: 0, count: 4096)
        var (sent, refusals) = (0, 0)
        // The other side of the loopback has acknowledged what it takes long before a hundred calls are over.
        while refusals < 100, sent < 64 << 20 {
            let count = unsafe block.withUnsafeBytes {
                unsafe send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            refusals = count > 0 ? 0 : refusals + 1
            sent += max(0, count)
        }
        return sent
    }
}
