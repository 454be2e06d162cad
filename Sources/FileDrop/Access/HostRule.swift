internal import UVServer

/// Which `Host` values are this server: a name of somebody's choosing that resolves here is how a foreign page would read
/// the folder (DNS rebinding). IP literals cannot be rebound.
struct HostRule: Sendable {
    let machineName: String
    let allowed: [String]

    init(machineName: String, allowed: [String]) {
        self.machineName = machineName.lowercased()
        self.allowed = allowed.map { $0.lowercased() }
    }

    /// - Parameter host: the authority, with or without a port; `nil` (HTTP/1.0 without Host) passes.
    func admits(_ host: [UInt8]?) -> Bool {
        guard let host else { return true }
        var name = String(decoding: host, as: UTF8.self).lowercased()
        if name.hasPrefix("[") { return true }
        if let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) { name = String(name[..<colon]) }
        if name.hasSuffix(".") { name.removeLast() }
        if SocketAddress(host: name, port: 0) != nil { return true }
        if name == "localhost" || self.allowed.contains(name) { return true }
        // A machine that is called nas.home.lan is nas in any other domain, too.
        let label = String(self.machineName.prefix { $0 != "." })
        return name == label || name.hasPrefix(label + ".")
    }
}
