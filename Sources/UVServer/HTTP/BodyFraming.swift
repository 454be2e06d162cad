/// How the end of a request body is found (RFC 9112 section 6.3). Whatever two parties could read in two ways is refused.
public enum BodyFraming: Equatable, Sendable {
    case none
    /// This many bytes; not negative.
    case length(Int64)
    case chunked

    /// - Throws: 400 for Content-Length beside Transfer-Encoding, for more than one Content-Length even if they agree, for a
    ///   length that is not digits or exceeds `Int64`, for Transfer-Encoding in HTTP/1.0, and for one that does not end in
    ///   `chunked` or names it twice; 501 for another coding before `chunked`.
    public init(_ head: RequestHead) throws(HTTPError) {
        let lengths = head.fields.bytes(.contentLength)
        if head.fields.contains(.transferEncoding) {
            guard head.minorVersion > 0 else { throw .transferEncodingInOldVersion }
            guard lengths.isEmpty else { throw .conflictingLengths }
            try Self.checkCodings(head.fields.members(.transferEncoding))
            self = .chunked
            return
        }
        guard let length = lengths.first else {
            self = .none
            return
        }
        guard lengths.count == 1, !length.contains(UInt8(ascii: ",")) else { throw .duplicateContentLength }
        guard let count = ASCII.decimal(length) else { throw .malformedContentLength }
        self = .length(count)
    }

    private static func checkCodings(_ codings: [ArraySlice<UInt8>]) throws(HTTPError) {
        guard let last = codings.last, ASCII.equalsIgnoringCase(last, "chunked") else { throw .malformedTransferEncoding }
        for coding in codings.dropLast() {
            guard coding.allSatisfy(ASCII.isToken), !ASCII.equalsIgnoringCase(coding, "chunked") else {
                throw .malformedTransferEncoding
            }
            throw .unsupportedTransferCoding
        }
    }
}
