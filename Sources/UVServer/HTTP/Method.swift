/// A request method: a token, compared with regard to case (RFC 9110 section 9.1).
public struct Method: Hashable, Sendable {
    public let name: String

    private init(known name: String) { self.name = name }

    /// `nil` when `token` is empty or holds a byte no token may hold. Unknown methods are values too: whoever routes
    /// the request answers them.
    public init?(_ token: some Collection<UInt8>) {
        guard !token.isEmpty, token.allSatisfy(ASCII.isToken) else { return nil }
        self.name = String(decoding: token, as: UTF8.self)
    }

    public static let get = Method(known: "GET")
    public static let head = Method(known: "HEAD")
    public static let post = Method(known: "POST")
    public static let put = Method(known: "PUT")
    public static let delete = Method(known: "DELETE")
    public static let options = Method(known: "OPTIONS")
    public static let patch = Method(known: "PATCH")
    public static let trace = Method(known: "TRACE")
    public static let connect = Method(known: "CONNECT")
}

extension Method: CustomStringConvertible {
    public var description: String { self.name }
}
