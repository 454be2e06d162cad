import TestSupport
import UVServer

/// Both ends of one TCP connection over loopback: the stream that the listener accepted, and the client.
struct LoopbackPair {
    let stream: TCPStream
    let client: RawClient

    /// - Parameter receiveBuffer: SO_RCVBUF of the client, in bytes.
    init(receiveBuffer: Int? = nil) async throws {
        let accepted = Accepted()
        let listener = try await accepted.listen()
        self.client = try RawClient(port: await listener.address.port, receiveBuffer: receiveBuffer)
        self.stream = await accepted.next()
        await listener.close()
    }
}
