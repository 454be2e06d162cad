/// An answer as it came over the socket.
public struct HTTPReply {
    public let status: Int
    /// Status line and fields as sent, without the empty line.
    public let head: [UInt8]
    public let fields: [(name: String, value: String)]
    public var body: [UInt8] = []

    /// nil when the head is no HTTP/1.1 head.
    init?(head: [UInt8]) {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        guard let first = lines.first, first.hasPrefix("HTTP/1.1 "), let status = Int(first.utf8Text(from: 9, count: 3)) else {
            return nil
        }
        self.status = status
        self.head = head
        self.fields = lines.dropFirst().compactMap { line in
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return (line[..<colon].lowercased(), line[line.utf8.index(after: colon)...].trimmed)
        }
    }

    /// The first value of a field, without regard to case.
    public subscript(_ name: String) -> String? {
        self.fields.first { $0.name == name.lowercased() }?.value
    }

    public var text: String { String(decoding: self.body, as: UTF8.self) }

    /// Body bytes announced by Content-Length.
    var length: Int? { self["content-length"].flatMap { Int($0) } }
    var isChunked: Bool { self["transfer-encoding"]?.lowercased() == "chunked" }
    public var closes: Bool { self["connection"]?.lowercased() == "close" }
}

extension String {
    /// Parts between separators; both CR and LF are bytes here, so that CRLF never counts as one character.
    func components(separatedBy separator: String) -> [String] {
        let bytes = [UInt8](self.utf8)
        let mark = [UInt8](separator.utf8)
        var parts: [String] = []
        var start = 0
        var index = 0
        while index + mark.count <= bytes.count {
            if bytes[index..<(index + mark.count)].elementsEqual(mark) {
                parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
                index += mark.count
                start = index
            } else {
                index += 1
            }
        }
        return parts + [String(decoding: bytes[start...], as: UTF8.self)]
    }

    func utf8Text(from start: Int, count: Int) -> String {
        String(decoding: self.utf8.dropFirst(start).prefix(count), as: UTF8.self)
    }
}

extension Substring {
    var trimmed: String {
        var bytes = self.utf8[...]
        while let first = bytes.first, first == 32 || first == 9 { bytes.removeFirst() }
        while let last = bytes.last, last == 32 || last == 9 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
