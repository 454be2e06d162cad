import Glibc
import UVServer

/// The server under load.
@safe struct Target: Sendable {
    let address: SocketAddress
    /// Host and port, for the requests.
    let authority: String

    /// - Parameter url: `http://HOST[:PORT]`, with or without a slash behind it. Looks the host up, which may block.
    /// - Throws: `UsageError` for another scheme, a path, or a host that has no address.
    init(_ url: String) throws(UsageError) {
        let scheme = "http://"
        guard url.hasPrefix(scheme) else { throw UsageError("--url takes http://HOST:PORT, not \"\(url)\"") }
        var authority = url.dropFirst(scheme.count)
        if authority.hasSuffix("/") { authority.removeLast() }
        guard !authority.isEmpty, !authority.contains("/"), !authority.contains("@") else {
            throw UsageError("--url takes http://HOST:PORT without a path, not \"\(url)\"; loads have paths")
        }
        var (host, port) = (authority, UInt16(80))
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let number = UInt16(authority[authority.index(after: colon)...]) else {
                throw UsageError("--url: \"\(authority)\" has no port that is a number")
            }
            (host, port) = (authority[..<colon], number)
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard let literal = Self.lookUp(String(host)), let address = SocketAddress(host: literal, port: port) else {
            throw UsageError("--url: the host \"\(host)\" has no address")
        }
        (self.address, self.authority) = (address, String(authority))
    }

    /// The first address of the host, as a literal.
    private static func lookUp(_ host: String) -> String? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &found) == 0, let first = unsafe found else { return nil }
        defer { unsafe freeaddrinfo(found) }
        var text = [CChar](repeating: 0, count: 128)
        let code = unsafe getnameinfo(
            unsafe first.pointee.ai_addr, unsafe first.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        return code == 0 ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
