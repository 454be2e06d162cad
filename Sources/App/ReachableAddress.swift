internal import UVServer

/// An address at which the server can be reached, as the system's list of interfaces tells it.
struct ReachableAddress: Equatable {
    /// Without brackets; a link-local IPv6 address with its zone: `fe80::1%eth0`.
    var text: String
    var isIPv6: Bool
    var isLoopback: Bool

    /// The page's address. Port 80 is left out; a zone's `%` is written `%25` (RFC 6874).
    func url(port: UInt16) -> String {
        let host = self.isIPv6 ? "[\(self.text.split(separator: "%", maxSplits: 1).joined(separator: "%25"))]" : self.text
        return port == 80 ? "http://\(host)/" : "http://\(host):\(port)/"
    }

    /// Those under which a server that is bound to these can be reached.
    static func all(_ bound: [SocketAddress]) -> [ReachableAddress] {
        bound.flatMap { address -> [ReachableAddress] in
            guard address.addressText == "0.0.0.0" || address.addressText == "::" else {
                let isLoopback = address.addressText == "::1" || address.addressText.hasPrefix("127.")
                return [ReachableAddress(text: address.addressText, isIPv6: address.isIPv6, isLoopback: isLoopback)]
            }
            return NetworkInterface.all().filter { $0.isIPv6 == address.isIPv6 && $0.isReachable }.map {
                ReachableAddress(text: $0.host, isIPv6: $0.isIPv6, isLoopback: $0.isLoopback)
            }
        }
    }
}
