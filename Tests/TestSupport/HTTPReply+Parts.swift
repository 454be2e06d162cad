extension HTTPReply {
    /// A part of a multipart/byteranges body.
    public struct Part: Equatable {
        /// The value of `Content-Range`.
        public let range: String
        public let content: [UInt8]

        public init(range: String, content: [UInt8]) {
            self.range = range
            self.content = content
        }
    }

    /// The parts of a multipart/byteranges body (RFC 9110 section 14.6), as long as their ranges say; `nil` when it is none.
    public var parts: [Part]? {
        let kind = "multipart/byteranges; boundary="
        guard let type = self["content-type"], type.hasPrefix(kind) else { return nil }
        let delimiter = Array("--".utf8) + type.dropFirst(kind.count).utf8
        var parts: [Part] = []
        var rest = self.body[...]
        while rest.starts(with: delimiter) {
            rest = rest.dropFirst(delimiter.count)
            if rest.elementsEqual(Array("--\r\n".utf8)) { return parts }
            guard rest.starts(with: [13, 10]), let end = rest.firstOffset(of: [13, 10, 13, 10]) else { return nil }
            let fields = String(decoding: rest.dropFirst(2).prefix(end - 2), as: UTF8.self).components(separatedBy: "\r\n")
            let name = "content-range: "
            guard let field = fields.first(where: { $0.lowercased().hasPrefix(name) }) else { return nil }
            let range = String(field.dropFirst(name.count))
            let numbers = range.split { !$0.isNumber }.compactMap { Int($0) }
            guard numbers.count == 3, numbers[0] <= numbers[1] else { return nil }
            rest = rest.dropFirst(end + 4)
            parts.append(Part(range: range, content: Array(rest.prefix(numbers[1] - numbers[0] + 1))))
            rest = rest.dropFirst(numbers[1] - numbers[0] + 1)
            guard rest.starts(with: [13, 10]) else { return nil }
            rest = rest.dropFirst(2)
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// How many elements come before the first occurrence of `mark`.
    fileprivate func firstOffset(of mark: [UInt8]) -> Int? {
        guard self.count >= mark.count else { return nil }
        return (0...(self.count - mark.count)).first { self.dropFirst($0).starts(with: mark) }
    }
}
