/// The boundary of a `multipart/form-data` body: 1 to 70 bytes of `bchars`, not ending in a space (RFC 2046 section 5.1.1).
public struct Boundary: Equatable, Sendable {
    /// Without the two hyphens that go before it. Holds no CR, which the search for delimiters relies on.
    public let bytes: [UInt8]

    /// Takes the boundary out of a `Content-Type` value, quoted or not.
    /// - Throws: `.notFormData` for another media type, `.badBoundary` when there is not exactly one or it is not allowed.
    public init(contentType: String) throws(MultipartError) {
        guard let parsed = HeaderParameters([UInt8](contentType.utf8)[...]),
            ASCII.equalsIgnoringCase(parsed.value, "multipart/form-data")
        else { throw .notFormData }
        guard parsed.count("boundary") == 1, let bytes = parsed["boundary"], (1...70).contains(bytes.count),
            bytes.allSatisfy(Self.isAllowed), bytes.last != ASCII.space
        else { throw .badBoundary }
        self.bytes = bytes
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        if ASCII.isDigit(byte) || ASCII.isLetter(byte) { return true }
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "+"), UInt8(ascii: "_"), UInt8(ascii: ","),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "?"),
            ASCII.space:
            return true
        default:
            return false
        }
    }
}
