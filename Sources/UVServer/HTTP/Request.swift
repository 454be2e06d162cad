/// One request, as a handler gets it: the head is whole, the body still arrives.
@EventLoop public struct Request {
    public let head: RequestHead
    public let body: RequestBody
    /// The client's address, without its port.
    public let client: String

    /// Whether this very head has been asked for before: then it pays to give the answer its `freshness`.
    public let isRepeated: Bool

    /// Whether nobody is there any more to be answered, as far as is known: a client that has only finished sending still is.
    public var isAbandoned: Bool { self.body.isAbandoned }

    init(head: RequestHead, body: RequestBody, client: String, isRepeated: Bool = false) {
        self.head = head
        self.body = body
        self.client = client
        self.isRepeated = isRepeated
    }

    /// What a server does with a request.
    public typealias Handler = @Sendable @EventLoop (Request) async -> Response
}
