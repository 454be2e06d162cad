/// One request, as a handler gets it: the head is whole, the body still arrives.
@EventLoop public struct Request {
    public let head: RequestHead
    public let body: RequestBody
    /// The client's address, without its port.
    public let client: String

    /// What a server does with a request.
    public typealias Handler = @Sendable @EventLoop (Request) async -> Response
}
