import UVServer

/// The head of an answer, as far as a client needs it.
struct ResponseHead: Equatable {
    let status: Int
    /// Field names in lower case, in order of arrival.
    let fields: [(name: String, value: String)]
    /// HTTP/1.1 or later: connections last unless told otherwise.
    private let isModern: Bool

    /// - Parameter text: the lines of the head, without the empty one that ends it.
    /// - Throws: `.malformed` for what is not the head of an HTTP/1 answer.
    init(_ text: ArraySlice<UInt8>) throws(LoadFailure) {
        var lines = text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).map { line in
            line.last == ASCII.carriageReturn ? line.dropLast() : line
        }
        let first = lines.isEmpty ? [] : lines.removeFirst()
        let words = first.split(separator: ASCII.space, maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, words[0].starts(with: "HTTP/1.".utf8), words[1].count == 3,
            let status = ASCII.decimal(words[1]), status >= 100
        else { throw .malformed("it begins with \"\(String(decoding: first.prefix(40), as: UTF8.self))\"") }
        self.status = Int(status)
        self.isModern = !words[0].elementsEqual("HTTP/1.0".utf8)
        var fields: [(name: String, value: String)] = []
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
                throw .malformed("a field without a colon")
            }
            let name = String(decoding: line[..<colon].map(ASCII.lowercased), as: UTF8.self)
            fields.append((name, String(decoding: ASCII.trimmed(line[(colon + 1)...]), as: UTF8.self)))
        }
        self.fields = fields
        guard self.isChunked || self["content-length"] == nil || self.contentLength != nil else {
            throw .malformed("Content-Length is no number")
        }
    }

    static func == (lhs: ResponseHead, rhs: ResponseHead) -> Bool {
        lhs.status == rhs.status && lhs.isModern == rhs.isModern && lhs.fields.elementsEqual(rhs.fields, by: ==)
    }

    /// The first value of a field; its name is given in lower case.
    subscript(_ name: String) -> String? { self.fields.first { $0.name == name }?.value }

    var contentLength: Int64? { self["content-length"].flatMap { ASCII.decimal($0.utf8) } }

    var isChunked: Bool { self["transfer-encoding"]?.lowercased().hasSuffix("chunked") ?? false }

    /// Whether the connection may be used for another request once the answer has ended.
    var keepsAlive: Bool {
        let options = self["connection"]?.lowercased() ?? ""
        return self.isModern ? !options.contains("close") : options.contains("keep-alive")
    }
}
