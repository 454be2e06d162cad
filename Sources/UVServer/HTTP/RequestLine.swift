/// The first line of a request (RFC 9112 section 3).
struct RequestLine {
    let method: Method
    let target: RequestTarget
    let minorVersion: Int

    /// `line` comes without its line end. What stands at the ends, method and version, is judged before the target.
    init(_ line: ArraySlice<UInt8>) throws(HTTPError) {
        guard let first = line.firstIndex(of: ASCII.space), let last = line.lastIndex(of: ASCII.space) else {
            throw .malformedRequestLine
        }
        guard let method = Method(line[..<first]) else { throw .malformedMethod }
        guard first < last, line[(first + 1)..<last].allSatisfy({ $0 != ASCII.space }), first + 1 < last else {
            throw .malformedRequestLine
        }
        self.method = method
        self.minorVersion = try Self.minorVersion(line[(last + 1)...])
        self.target = try RequestTarget(parsing: line[(first + 1)..<last], method: method)
    }

    /// `HTTP/` in capitals and two digits with a point between (RFC 9112 section 2.3).
    private static func minorVersion(_ bytes: ArraySlice<UInt8>) throws(HTTPError) -> Int {
        let text = Array(bytes)
        guard text.count == 8, text.starts(with: "HTTP/".utf8), ASCII.isDigit(text[5]), text[6] == UInt8(ascii: "."),
            ASCII.isDigit(text[7])
        else { throw .malformedVersion }
        guard text[5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
        return text[7] == UInt8(ascii: "0") ? 0 : 1
    }
}
