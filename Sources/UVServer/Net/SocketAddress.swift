internal import CUV
internal import Glibc

/// An IP address and port, as the kernel keeps them.
@safe public struct SocketAddress: Sendable {
    var storage: sockaddr_storage

    /// - Parameter host: an IPv4 or IPv6 literal, the latter without brackets; a zone (`%eth0`) is understood.
    public init?(host: String, port: UInt16) {
        var storage = sockaddr_storage()
        let parsed = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe uv_ip4_addr(host, CInt(port), $0)
            } == 0
                || pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    unsafe uv_ip6_addr(host, CInt(port), $0)
                } == 0
        }
        guard parsed else { return nil }
        self.storage = storage
    }

    init(_ storage: sockaddr_storage) { self.storage = storage }

    public var isIPv6: Bool { self.storage.ss_family == sa_family_t(AF_INET6) }

    public var port: UInt16 {
        // Both families keep the port in the same place, in network order.
        var copy = self.storage
        return unsafe withUnsafePointer(to: &copy) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { unsafe UInt16(bigEndian: $0.pointee.sin_port) }
        }
    }

    /// The address without its port, to be compared. An IPv4 address that came over a v6 socket is the IPv4 address.
    public struct IPAddress: Hashable, Sendable {
        let high: UInt64
        let low: UInt64
        /// The interface that a link-local address belongs to.
        let zone: UInt32
    }

    public var ipAddress: IPAddress {
        var copy = self.storage
        return unsafe withUnsafePointer(to: &copy) { pointer in
            guard self.isIPv6 else {
                let address = unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    unsafe UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
                }
                return IPAddress(high: 0, low: 0xFFFF_0000_0000 | UInt64(address), zone: 0)
            }
            return unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { v6 in
                let halves = unsafe withUnsafeBytes(of: v6.pointee.sin6_addr) { bytes in
                    unsafe (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                }
                return unsafe IPAddress(
                    high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1), zone: v6.pointee.sin6_scope_id)
            }
        }
    }

    /// The address alone, as a literal without brackets. An IPv4 address that came over a v6 socket is shown as IPv4.
    public var addressText: String {
        var copy = self.storage
        var text = [CChar](repeating: 0, count: 64)
        unsafe withUnsafePointer(to: &copy) { pointer in
            _ =
                if self.isIPv6 {
                    unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                        unsafe uv_ip6_name($0, &text, text.count)
                    }
                } else {
                    unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        unsafe uv_ip4_name($0, &text, text.count)
                    }
                }
        }
        let literal = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return literal.hasPrefix("::ffff:") && literal.contains(".") ? String(literal.dropFirst(7)) : literal
    }

    /// How many bytes of it the kernel looks at.
    var length: socklen_t {
        socklen_t(self.isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    }

    func withSockaddr<Value>(_ body: (UnsafePointer<sockaddr>) -> Value) -> Value {
        var copy = self.storage
        return unsafe withUnsafePointer(to: &copy) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
        }
    }
}
