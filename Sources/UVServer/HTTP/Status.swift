/// A response status (RFC 9110 section 15; 421 from 15.5.20, 431 from RFC 6585, 507 from RFC 4918).
public struct Status: Hashable, Sendable {
    /// Three digits.
    public let code: Int
    /// The phrase of the status line. For people only.
    public let reason: String

    private init(_ code: Int, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// An interim response: one that is not the answer yet.
    public var isInformational: Bool { self.code < 200 }
    /// Whether a response of this status never has a body, whatever its fields say (RFC 9112 section 6.3).
    var forbidsBody: Bool { self.code < 200 || self.code == 204 || self.code == 304 }

    public static let `continue` = Status(100, "Continue")
    public static let ok = Status(200, "OK")
    public static let created = Status(201, "Created")
    public static let noContent = Status(204, "No Content")
    public static let partialContent = Status(206, "Partial Content")
    public static let seeOther = Status(303, "See Other")
    public static let notModified = Status(304, "Not Modified")
    public static let permanentRedirect = Status(308, "Permanent Redirect")
    public static let badRequest = Status(400, "Bad Request")
    public static let forbidden = Status(403, "Forbidden")
    public static let notFound = Status(404, "Not Found")
    public static let methodNotAllowed = Status(405, "Method Not Allowed")
    public static let requestTimeout = Status(408, "Request Timeout")
    public static let conflict = Status(409, "Conflict")
    public static let preconditionFailed = Status(412, "Precondition Failed")
    public static let contentTooLarge = Status(413, "Content Too Large")
    public static let uriTooLong = Status(414, "URI Too Long")
    public static let unsupportedMediaType = Status(415, "Unsupported Media Type")
    public static let rangeNotSatisfiable = Status(416, "Range Not Satisfiable")
    public static let expectationFailed = Status(417, "Expectation Failed")
    public static let misdirectedRequest = Status(421, "Misdirected Request")
    public static let requestHeaderFieldsTooLarge = Status(431, "Request Header Fields Too Large")
    public static let internalServerError = Status(500, "Internal Server Error")
    public static let notImplemented = Status(501, "Not Implemented")
    public static let serviceUnavailable = Status(503, "Service Unavailable")
    public static let versionNotSupported = Status(505, "HTTP Version Not Supported")
    public static let insufficientStorage = Status(507, "Insufficient Storage")
}

extension Status: CustomStringConvertible {
    public var description: String { "\(self.code) \(self.reason)" }
}
