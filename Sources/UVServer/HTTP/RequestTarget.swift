/// What a request asks for, in pieces but not decoded (RFC 9112 section 3.2).
public struct RequestTarget: Equatable, Sendable {
    /// As sent, percent-encoding and all. Begins with a slash, or is `*` in an OPTIONS request.
    public let path: [UInt8]
    /// What follows the question mark; `nil` without one.
    public let query: [UInt8]?
    /// Host and port of an absolute-form target, which outrank the Host field; `nil` in the other forms.
    public let authority: [UInt8]?

    /// - Throws: `.tunnelRefused` for CONNECT; `.malformedTarget` for a control byte, a space, a fragment, another scheme
    ///   than http and https, an authority that is empty, malformed or names a user, and `*` outside OPTIONS.
    ///   Bytes from 0x80 up are taken as they are, for some clients send UTF-8 unencoded.
    public init(parsing bytes: some Collection<UInt8>, method: Method) throws(HTTPError) {
        guard method != .connect else { throw .tunnelRefused }
        let target = Array(bytes)
        guard target.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }) else { throw .malformedTarget }
        if target == [UInt8(ascii: "*")] {
            guard method == .options else { throw .malformedTarget }
            self.path = target
            self.query = nil
            self.authority = nil
            return
        }
        if target.first == UInt8(ascii: "/") {
            (self.path, self.query) = Self.splitQuery(target[...])
            self.authority = nil
            return
        }
        guard let rest = Self.afterScheme(target) else { throw .malformedTarget }
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        guard Authority.isValid(rest[..<end]) else { throw .malformedTarget }
        self.authority = Array(rest[..<end])
        let (path, query) = Self.splitQuery(rest[end...])
        self.path = path.isEmpty ? [UInt8(ascii: "/")] : path
        self.query = query
    }

    private static func splitQuery(_ bytes: ArraySlice<UInt8>) -> (path: [UInt8], query: [UInt8]?) {
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return (Array(bytes), nil) }
        return (Array(bytes[..<mark]), Array(bytes[(mark + 1)...]))
    }

    private static func afterScheme(_ target: [UInt8]) -> ArraySlice<UInt8>? {
        if ASCII.equalsIgnoringCase(target.prefix(7), "http://") { return target.dropFirst(7) }
        if ASCII.equalsIgnoringCase(target.prefix(8), "https://") { return target.dropFirst(8) }
        return nil
    }
}
