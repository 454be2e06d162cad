/// What a handler answers. `Content-Length`, `Date` and `Connection` are added by the connection.
public struct Response: ~Copyable, Sendable {
    public var status: Status
    public var fields: Fields
    public var body: ResponseBody
    /// Kept until the answer has been sent, or cannot be: what the body needs, or who counts it.
    public var keeps: (any AnyObject & Sendable)?

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
