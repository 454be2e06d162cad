internal import CUV
internal import Glibc

/// A TCP socket that listens and from which nobody accepts yet: it can be given to a ``TCPListener`` or to another process. Clients that
/// connect wait in its queue meanwhile. Closed when this object goes.
@EventLoop public final class ListeningSocket {
    private var file: OwnedFile?
    /// What it is bound to, with the port that the kernel chose for port 0.
    public let address: SocketAddress
    /// Whether it takes clients of IPv4, too, although its address is one of IPv6.
    public let isDual: Bool
    /// Whether whoever holds the same socket besides goes on with its queue when this process stops. So does a service manager, which
    /// passes it to the next one.
    public var queueSurvives: Bool
    /// How many clients wait in the queue at most, as far as the system allows.
    public nonisolated static let backlog: CInt = 1024

    /// Binds and listens. SO_REUSEADDR is set, so a restart binds at once; an IPv6 socket takes IPv6 only.
    ///
    /// - Throws: `UVError`: the address is taken, not of this machine, or not permitted.
    public convenience init(_ address: SocketAddress, backlog: CInt = ListeningSocket.backlog) throws(UVError) {
        try self.init(binding: address, backlog: backlog, sharesPort: false)
    }

    /// Several sockets at one address, between which the kernel shares out the clients (SO_REUSEPORT).
    ///
    /// Sockets that share their port let any other process of the same user in, without a word to either. So the first one is bound
    /// and listens for itself, which fails where anybody else listens, and lets only then the others of its group in.
    /// - Throws: as `init`.
    public static func group(_ address: SocketAddress, count: Int) throws(UVError) -> [ListeningSocket] {
        let first = try ListeningSocket(address)
        var group = [first]
        guard count > 1 else { return group }
        try SocketOption.set(SO_REUSEPORT, of: first.descriptor)
        while group.count < count {
            group.append(try ListeningSocket(binding: first.address, backlog: self.backlog, sharesPort: true))
        }
        return group
    }

    /// Takes over a socket that this process was started with.
    ///
    /// - Throws: `UVError` when the descriptor is no listening TCP socket. It stays open then.
    public init(adopting descriptor: CInt) throws(UVError) {
        guard try SocketOption.value(of: SO_ACCEPTCONN, descriptor) != 0,
            try SocketOption.value(of: SO_TYPE, descriptor) == SOCK_STREAM.rawValue,
            try SocketOption.value(of: SO_PROTOCOL, descriptor) == IPPROTO_TCP
        else { throw UVError(code: -EINVAL, call: "listen") }
        self.address = try Self.address(of: descriptor)
        let takesBoth =
            self.address.isIPv6 ? try SocketOption.value(of: IPV6_V6ONLY, descriptor, level: CInt(IPPROTO_IPV6)) == 0 : false
        self.isDual = takesBoth
        self.queueSurvives = true
        try checkErrno(shim_close_on_exec(descriptor), "fcntl")
        self.file = OwnedFile(owning: descriptor)
    }

    private init(binding address: SocketAddress, backlog: CInt, sharesPort: Bool) throws(UVError) {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let file = OwnedFile(owning: try checkErrno(socket(address.isIPv6 ? AF_INET6 : AF_INET, kind, 0), "socket"))
        try SocketOption.set(SO_REUSEADDR, of: file.descriptor)
        if sharesPort { try SocketOption.set(SO_REUSEPORT, of: file.descriptor) }
        if address.isIPv6 { try SocketOption.set(IPV6_V6ONLY, of: file.descriptor, level: CInt(IPPROTO_IPV6)) }
        try checkErrno(unsafe address.withSockaddr { unsafe bind(file.descriptor, $0, address.length) }, "bind")
        // Two that were bound at the same time are told apart here: the second one fails.
        try checkErrno(listen(file.descriptor, backlog), "listen")
        self.address = try Self.address(of: file.descriptor)
        self.isDual = false
        self.queueSurvives = false
        self.file = consume file
    }

    /// The number that the kernel knows it by, until it is closed or given to a listener.
    public var descriptor: CInt { self.file?.descriptor ?? -1 }

    /// Closes it. Clients in its queue stay there as long as another process holds the same socket, and are refused otherwise.
    public func close() { self.file = nil }

    /// Gives the descriptor to the caller, who closes it.
    func release() -> CInt {
        guard let file = self.file.take() else { preconditionFailure("a listening socket is used after its end") }
        return file.release()
    }

    private nonisolated static func address(of descriptor: CInt) throws(UVError) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) }
        }
        try checkErrno(code, "getsockname")
        return SocketAddress(storage)
    }
}
