/// Where the bytes of a request body come from: a connection, as far as its bodies know it.
@EventLoop protocol BodySource: AnyObject {
    var stream: TCPStream { get }

    /// Waits for the next bytes of the body, within its deadline.
    func receiveBody() async throws(BodyError) -> ByteChunk

    /// Tells a waiting client to send its body. False when it is gone.
    func sendContinue() async -> Bool
}
