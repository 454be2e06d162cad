internal import UVServer

/// Which `Host` values are this server: a name of somebody's choosing that resolves here is how a foreign page would read
/// the folder (DNS rebinding). IP literals cannot be rebound, and neither can a name that nobody can register.
struct HostRule: Sendable {
    /// Domains of local networks, in which no one outside can register a name: RFC 6762 section 3 and appendix G, RFC 8375, and
    /// `internal`, which ICANN has reserved for private use.
    private static let localDomains = [
        "local", "lan", "home", "home.arpa", "internal", "intranet", "private", "corp", "localdomain",
    ]

    private let names: Set<String>

    /// - Parameters:
    ///   - machineName: with or without a domain.
    ///   - searchDomains: those in which the machine itself looks names up.
    init(machineName: String, searchDomains: [String], allowed: [String]) {
        let machine = machineName.lowercased()
        let label = String(machine.prefix { $0 != "." })
        // A search domain of one label may be a public one, like com.
        let domains = Self.localDomains + searchDomains.filter { $0.contains(".") }.map { $0.lowercased() }
        self.names = Set(["localhost", machine, label] + allowed.map { $0.lowercased() } + domains.map { "\(label).\($0)" })
    }

    /// - Parameter host: the authority, with or without a port; `nil` (HTTP/1.0 without Host) passes.
    func admits(_ host: [UInt8]?) -> Bool {
        guard let host else { return true }
        var name = String(decoding: host, as: UTF8.self).lowercased()
        // The parser has seen to it that brackets hold an address.
        if name.hasPrefix("[") { return true }
        if let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) { name = String(name[..<colon]) }
        if name.hasSuffix(".") { name.removeLast() }
        return self.names.contains(name) || SocketAddress(host: name, port: 0) != nil
    }
}
