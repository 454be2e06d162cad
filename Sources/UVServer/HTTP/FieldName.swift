/// The name of a header field: a token, compared without regard to the case of ASCII letters (RFC 9110 section 5.1).
public struct FieldName: Sendable {
    /// As it goes on the wire: a known name in its usual spelling, any other as it was written.
    public let spelling: String
    /// The lowercase form: what is compared.
    let key: String

    /// A name written in source code.
    /// - Precondition: `literal` is a token.
    public init(_ literal: StaticString) {
        let spelling = literal.description
        precondition(!spelling.isEmpty && spelling.utf8.allSatisfy(ASCII.isToken), "a field name is a token")
        self.spelling = spelling
        self.key = String(decoding: spelling.utf8.map(ASCII.lowercased), as: UTF8.self)
    }

    /// A name from the wire; `nil` when it is empty or holds a byte no token may hold.
    public init?(parsing bytes: some Collection<UInt8>) {
        if let known = Self.known(bytes) {
            self = known
            return
        }
        guard !bytes.isEmpty, bytes.allSatisfy(ASCII.isToken) else { return nil }
        self.spelling = String(decoding: bytes, as: UTF8.self)
        self.key = String(decoding: bytes.map(ASCII.lowercased), as: UTF8.self)
    }
}

extension FieldName: Hashable {
    public static func == (left: FieldName, right: FieldName) -> Bool { left.key == right.key }
    public func hash(into hasher: inout Hasher) { hasher.combine(self.key) }
}

extension FieldName: CustomStringConvertible {
    public var description: String { self.spelling }
}
