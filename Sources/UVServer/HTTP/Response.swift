/// What a handler answers. `Content-Length`, `Date` and `Connection` are added by the connection.
public struct Response: ~Copyable, Sendable {
    public var status: Status
    public var fields: Fields
    public var body: ResponseBody
    /// Kept until the answer has been sent, or cannot be: what the body needs, or who counts it.
    public var keeps: (any AnyObject & Sendable)?

    /// Given where the answer follows from the request's head and from watched files alone: while it lasts, the same head may be answered
    /// in the same way. `nil`: this answer is for this request only.
    public var freshness: Freshness?

    public init(_ status: Status, fields: Fields = Fields(), body: consuming ResponseBody = .none) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// An answer with a body of text or markup.
    public init(_ status: Status, type: String, bytes: [UInt8]) {
        self.init(status, body: .bytes(bytes))
        self.fields[.contentType] = type
    }
}
