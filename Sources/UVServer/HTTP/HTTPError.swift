/// A request that breaks the protocol or a limit of it: the client's fault, and the end of its connection, for where the
/// next request would begin is no longer certain (RFC 9112 section 9.6).
public enum HTTPError: Error, Equatable, Sendable {
    case tooManyBlankLines(limit: Int)
    /// A CR without LF, or an LF without CR, in a head.
    case bareLineEnd
    case malformedRequestLine
    case malformedMethod
    case malformedVersion
    case unsupportedVersion
    case malformedTarget
    /// CONNECT: this is not a proxy.
    case tunnelRefused
    case requestLineTooLong(limit: Int)
    case headTooLarge(limit: Int)
    case tooManyFields(limit: Int)
    case malformedFieldName
    case blankBeforeColon
    /// A field line that continues the one before it (RFC 9112 section 5.2).
    case foldedField
    case malformedFieldValue
    case missingHost
    case duplicateHost
    case malformedHost
    case unknownExpectation
    case malformedContentLength
    case duplicateContentLength
    /// Both Content-Length and Transfer-Encoding.
    case conflictingLengths
    case malformedTransferEncoding
    case unsupportedTransferCoding
    /// Transfer-Encoding in a message of HTTP/1.0, which does not know it.
    case transferEncodingInOldVersion
    case malformedChunk
    case chunkTooLarge
    case chunkExtensionsTooLarge(limit: Int)
    case trailersTooLarge(limit: Int)
    /// The head did not arrive within its deadline.
    case headTimedOut
    /// One connection more than an address may have. It is told before it has asked for anything.
    case tooManyConnections

    public var status: Status {
        switch self {
        case .tooManyBlankLines, .bareLineEnd, .malformedRequestLine, .malformedMethod, .malformedVersion, .malformedTarget,
            .malformedFieldName, .blankBeforeColon, .foldedField, .malformedFieldValue, .missingHost, .duplicateHost,
            .malformedHost, .malformedContentLength, .duplicateContentLength, .conflictingLengths,
            .malformedTransferEncoding, .transferEncodingInOldVersion, .malformedChunk, .chunkTooLarge,
            .chunkExtensionsTooLarge:
            .badRequest
        case .headTimedOut: .requestTimeout
        case .requestLineTooLong: .uriTooLong
        case .unknownExpectation: .expectationFailed
        case .headTooLarge, .tooManyFields, .trailersTooLarge: .requestHeaderFieldsTooLarge
        case .tooManyConnections: .serviceUnavailable
        case .tunnelRefused, .unsupportedTransferCoding: .notImplemented
        case .unsupportedVersion: .versionNotSupported
        }
    }

    /// One sentence for people that says what to do.
    public var reason: String {
        switch self {
        case .tooManyBlankLines(let limit): "Send at most \(limit) empty lines before a request."
        case .bareLineEnd: "End every line of the request head with CR and LF together."
        case .malformedRequestLine: "Send the method, the address and the version with one space between them."
        case .malformedMethod: "Send a method made of letters, such as GET; if this was an https address, use http."
        case .malformedVersion: "Name the version as HTTP/1.1."
        case .unsupportedVersion: "Use HTTP/1.1; this server speaks no other version."
        case .malformedTarget: "Percent-encode spaces and special characters in the address, and begin it with a slash."
        case .tunnelRefused: "Use another proxy; this server opens no tunnels."
        case .requestLineTooLong(let limit): "Use a shorter address; the request line may have \(limit) bytes."
        case .headTooLarge(let limit): "Send fewer or shorter header fields, \(limit) bytes in all; clearing cookies may help."
        case .tooManyFields(let limit): "Send at most \(limit) header fields."
        case .malformedFieldName: "Begin every header line with a name and a colon."
        case .blankBeforeColon: "Remove the blank before the colon of a header field."
        case .foldedField: "Put every header field on one line."
        case .malformedFieldValue: "Remove control characters from the header fields."
        case .missingHost: "Send a Host field that names this server."
        case .duplicateHost: "Send the Host field once."
        case .malformedHost: "Send a Host field of a host name and, after a colon, a port."
        case .unknownExpectation: "Send no expectation other than 100-continue."
        case .malformedContentLength: "Send the body's length as decimal digits."
        case .duplicateContentLength: "Send the Content-Length field once, with one number."
        case .conflictingLengths: "Send either Content-Length or Transfer-Encoding, not both."
        case .malformedTransferEncoding: "Send the body with the transfer coding chunked, named once."
        case .unsupportedTransferCoding: "Send the body with no transfer coding other than chunked."
        case .transferEncodingInOldVersion: "Use HTTP/1.1, or send the body's length in Content-Length."
        case .malformedChunk: "Send every chunk as its size in hexadecimal digits, its bytes and a line end."
        case .chunkTooLarge: "Send the body in smaller chunks."
        case .chunkExtensionsTooLarge(let limit): "Send no chunk extensions, or at most \(limit) bytes of them."
        case .trailersTooLarge(let limit): "Send at most \(limit) bytes of trailer fields."
        // Without a number: with several workers each has its share, and who comes to another one may be let in.
        case .tooManyConnections: "Wait until one of your connections has ended; your address has too many at once."
        case .headTimedOut: "Send the request head faster, or check the network and try again."
        }
    }
}
