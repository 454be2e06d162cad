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
}
