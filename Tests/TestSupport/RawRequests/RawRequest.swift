/// A request as a client may send it, right or wrong, and what must become of it and of its connection.
///
/// The rows are data, by section of RFC 9112 and RFC 9110. They speak to a server of the folder that ``RawRequests/fill(_:)`` makes, which
/// keeps no list of what has been sent before.
public struct RawRequest: Sendable {
    /// What follows on the connection.
    public enum Ending: Sendable {
        /// The next request: what was sent is understood to its last byte.
        case open
        /// The next request if a body that nobody reads had come by then, else nothing.
        case unread
        /// Nothing, since one side has said so or HTTP/1.0 means it.
        case last
        /// Nothing, since the rest of the body has not come, and nobody wants it.
        case spent
        /// Nothing: it cannot be told where the request ends, or two parties could tell differently.
        case refused
    }

    public let bytes: [UInt8]
    public let status: Int
    /// What is wrong with its bytes, whatever route it is for; `status` unless that route refuses it for another reason first.
    public let parserStatus: Int
    public let ending: Ending
    /// What the file `put` holds then; `nil` where nothing is stored.
    public let stored: [UInt8]?

    /// - Parameter text: each of its scalars is one byte, so that `\u{FF}` is 0xFF.
    private init(_ status: Int, _ ending: Ending, _ text: String, parserStatus: Int? = nil, stored: String? = nil) {
        self.bytes = text.unicodeScalars.map { UInt8($0.value) }
        self.status = status
        self.parserStatus = parserStatus ?? status
        self.ending = ending
        self.stored = stored.map { [UInt8]($0.utf8) }
    }

    static func open(_ status: Int, _ text: String) -> RawRequest { RawRequest(status, .open, text) }
    static func unread(_ status: Int, _ text: String) -> RawRequest { RawRequest(status, .unread, text) }
    static func last(_ status: Int, _ text: String) -> RawRequest { RawRequest(status, .last, text) }
    static func spent(_ status: Int, _ text: String) -> RawRequest { RawRequest(status, .spent, text) }
    /// - Parameter parserStatus: what a route that wants the body would answer.
    static func refused(_ status: Int, _ text: String, parserStatus: Int? = nil) -> RawRequest {
        RawRequest(status, .refused, text, parserStatus: parserStatus)
    }
    /// 201, and a file that holds `content`.
    static func stored(_ content: String, _ text: String) -> RawRequest { RawRequest(201, .open, text, stored: content) }

    /// A request line, the Host field, `lines` and the empty line.
    static func head(_ line: String, _ lines: String...) -> String {
        ([line, "Host: localhost"] + lines + ["", ""]).joined(separator: "\r\n")
    }

    /// A GET of a file that is there, with more field lines.
    static func get(_ lines: String...) -> String {
        (["GET /a HTTP/1.1", "Host: localhost"] + lines + ["", ""]).joined(separator: "\r\n")
    }

    /// A PUT with these field lines, and what follows the head.
    static func put(_ lines: String..., body: String) -> String {
        (["PUT /put HTTP/1.1", "Host: localhost"] + lines + ["", ""]).joined(separator: "\r\n") + body
    }

    /// A PUT in chunks.
    static func chunked(_ body: String) -> String { self.put("Transfer-Encoding: chunked", body: body) }

    /// The method by which an answer's body is to be read.
    public var method: String { self.bytes.starts(with: "HEAD ".utf8) ? "HEAD" : "GET" }
}

extension RawRequest: CustomStringConvertible {
    public var description: String {
        let text = String(decoding: self.bytes.prefix(200), as: UTF8.self).debugDescription
        return self.bytes.count > 200 ? "\(text) and \(self.bytes.count - 200) more" : text
    }
}
