import UVServer

/// What a listener on a free port of 127.0.0.1 has accepted, in order.
@EventLoop final class Accepted {
    private(set) var streams: [TCPStream] = []
    private let arrived = Milestone()

    nonisolated init() {}

    func listen() throws(UVError) -> TCPListener {
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { preconditionFailure("a literal") }
        return try TCPListener(address) { self.take($0) }
    }

    func take(_ stream: TCPStream) {
        self.streams.append(stream)
        self.arrived.reach()
    }

    /// Waits until so many connections have been accepted, and gives the last of them.
    func next(_ count: Int = 1) async -> TCPStream {
        await self.arrived.reached(count)
        return self.streams[count - 1]
    }

    func closeAll() { for stream in self.streams { stream.close() } }

    func forget() { self.streams = [] }
}
