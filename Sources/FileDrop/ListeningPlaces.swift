public import UVServer

/// Where a configuration listens.
@EventLoop public enum ListeningPlaces {
    /// How often another port is taken when the one that the kernel chose for one address is taken at the next.
    private static let attempts = 10

    /// Binds every address; the first one's port serves the others when it was left to the kernel.
    /// - Parameter count: how many sockets each address gets, between which the kernel shares out the clients.
    /// - Returns: the sockets of each address.
    /// - Throws: `FileServerError`: `.badAddress` or `.cannotListen`. Nothing is bound then.
    public static func bind(_ configuration: Configuration, count: Int = 1) throws(FileServerError) -> [[ListeningSocket]] {
        var attempts = configuration.port == 0 ? self.attempts : 1
        while true {
            attempts -= 1
            do throws(FileServerError) { return try self.bindOnce(configuration, count) } catch {
                if attempts > 0, case .cannotListen(_, _, let cause) = error, cause.isAddressInUse { continue }
                throw error
            }
        }
    }

    private static func bindOnce(_ configuration: Configuration, _ count: Int) throws(FileServerError) -> [[ListeningSocket]] {
        let binds = configuration.binds
        let hosts = binds.isEmpty ? ["0.0.0.0", "::"] : binds
        var port = configuration.port
        var bound: [[ListeningSocket]] = []
        for host in hosts {
            guard let address = SocketAddress(host: host, port: port) else { throw .badAddress(host) }
            do throws(UVError) {
                let group = try ListeningSocket.group(address, count: count)
                port = group[0].address.port
                bound.append(group)
            } catch {
                // Without being asked for it, a machine without IPv6 is no error.
                if binds.isEmpty, address.isIPv6, error.isAddressMissing { continue }
                throw .cannotListen(address: host, port: port, cause: error)
            }
        }
        return bound
    }

    /// The sockets that this process was started with; none where it was started without.
    /// - Parameter knowsProcess: as for `InheritedSockets.count`.
    /// - Throws: `.notListening`.
    public static func inherited(knowsProcess: Bool = true) throws(FileServerError) -> [ListeningSocket] {
        do throws(InheritedSockets.NotListening) {
            return try InheritedSockets.take(InheritedSockets.count(knowsProcess: knowsProcess))
        } catch {
            throw .notListening(descriptor: Int(error.descriptor))
        }
    }

    /// The addresses of `sockets`; of one that takes clients of both families, both.
    public static func addresses(of sockets: [ListeningSocket]) -> [SocketAddress] {
        sockets.flatMap { socket in
            let other =
                socket.isDual && socket.address.addressText == "::"
                ? SocketAddress(host: "0.0.0.0", port: socket.address.port) : nil
            return [socket.address] + [other].compactMap { $0 }
        }
    }
}
