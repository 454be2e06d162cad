/// A request without its body.
public struct RequestHead: Sendable {
    public let method: Method
    public let target: RequestTarget
    /// 0 for HTTP/1.0; 1 for HTTP/1.1 and for every later minor version, which is spoken to as 1.1 (RFC 9110 section 2.5).
    public let minorVersion: Int
    public let fields: Fields

    public init(method: Method, target: RequestTarget, minorVersion: Int, fields: Fields) {
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
        self.fields = fields
    }

    /// Host and port the client meant: the target's if it names one, else the Host field's (RFC 9112 section 3.2.2).
    /// `nil` only in HTTP/1.0.
    public var host: [UInt8]? {
        self.target.authority ?? self.fields.bytes(.host).first
    }

    /// Whether the client wants the connection to outlive this exchange (RFC 9112 section 9.3).
    public var keepsAlive: Bool {
        let options = self.fields.members(.connection)
        if options.contains(where: { ASCII.equalsIgnoringCase($0, "close") }) { return false }
        return self.minorVersion > 0 || options.contains { ASCII.equalsIgnoringCase($0, "keep-alive") }
    }

    /// Whether the client holds its body back until it is told to go on. A 1.0 client that asks is not answered
    /// (RFC 9110 section 10.1.1).
    public var expectsContinue: Bool {
        self.minorVersion > 0 && !self.fields.members(.expect).isEmpty
    }
}
