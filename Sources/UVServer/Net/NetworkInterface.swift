internal import CUV
internal import Glibc

/// An address of this machine.
public struct NetworkInterface: Sendable {
    public let name: String
    public let host: String
    public let isIPv6: Bool
    public let isLoopback: Bool

    /// Whether a browser elsewhere can be sent there: link-local IPv6 needs a zone that no URL carries.
    public var isReachable: Bool { !self.host.lowercased().hasPrefix("fe80:") }

    /// The addresses of all interfaces that are up; empty when the kernel does not say.
    public static func all() -> [NetworkInterface] {
        var list: UnsafeMutablePointer<uv_interface_address_t>?
        var count: CInt = 0
        guard unsafe uv_interface_addresses(&list, &count) == 0, let found = unsafe list else { return [] }
        defer { unsafe uv_free_interface_addresses(found, count) }
        return (0..<Int(count)).map { index in
            let entry = unsafe found[index]
            var storage = sockaddr_storage()
            unsafe withUnsafeMutablePointer(to: &storage) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    unsafe $0.pointee = entry.address.address6
                }
            }
            let address = SocketAddress(storage)
            return NetworkInterface(
                name: unsafe String(cString: entry.name), host: address.addressText, isIPv6: address.isIPv6,
                isLoopback: unsafe entry.is_internal != 0
            )
        }
    }
}
