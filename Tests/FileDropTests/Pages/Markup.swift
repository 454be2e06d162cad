/// A page taken apart the way a browser does it: enough of HTML tokenization to see what a name turned into. Works on bytes.
struct Markup: Equatable {
    struct Tag: Equatable {
        var name: String
        var attributes: [(name: String, value: String)]

        static func == (left: Self, right: Self) -> Bool {
            left.name == right.name && left.attributes.elementsEqual(right.attributes) { $0 == $1 }
        }

        func value(_ attribute: String) -> String? { self.attributes.first { $0.name == attribute }?.value }
    }

    var tags: [Tag] = []
    /// The text after each tag, decoded; as many as `tags`.
    var texts: [String] = []
    /// What no page of ours may contain: a bare `&`, a `<` that begins no tag, an unquoted value, bytes that are not UTF-8.
    var faults: [String] = []

    /// Tag and attribute names alone: equal for two pages that differ in names and numbers only.
    var skeleton: [[String]] { self.tags.map { [$0.name] + $0.attributes.map(\.name) } }

    init(_ bytes: [UInt8]) {
        if String(validating: bytes, as: UTF8.self) == nil { self.faults.append("not UTF-8") }
        var index = 0
        var text: [UInt8] = []
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                text.append(bytes[index])
                index += 1
                continue
            }
            self.endText(&text)
            index += 1
            self.readTag(bytes, &index)
        }
        self.endText(&text)
    }

    private mutating func endText(_ text: inout [UInt8]) {
        if !self.tags.isEmpty { self.texts.append(self.decode(text)) }
        text = []
    }

    private mutating func readTag(_ bytes: [UInt8], _ index: inout Int) {
        let name = Self.take(bytes, &index) { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: " ") }
        let start = name.first == "/" || name.first == "!" ? name.dropFirst().first : name.first
        if start?.isLetter != true { self.faults.append("a bare <") }
        var tag = Tag(name: name, attributes: [])
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            index += 1  // the space
            let attribute = Self.take(bytes, &index) {
                $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ">")
            }
            var value = ""
            if index < bytes.count, bytes[index] == UInt8(ascii: "=") {
                index += 1
                if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
                    index += 1
                    var raw: [UInt8] = []
                    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                        if bytes[index] == UInt8(ascii: "<") { self.faults.append("< in a value") }
                        raw.append(bytes[index])
                        index += 1
                    }
                    index += 1
                    value = self.decode(raw)
                } else {
                    self.faults.append("an unquoted value")
                }
            }
            tag.attributes.append((attribute, value))
        }
        index += 1
        self.tags.append(tag)
    }

    private mutating func decode(_ raw: [UInt8]) -> String {
        let references: [(String, UInt8)] = [("amp;", 0x26), ("lt;", 0x3C), ("gt;", 0x3E), ("quot;", 0x22), ("#39;", 0x27)]
        var result: [UInt8] = []
        var index = 0
        while index < raw.count {
            let byte = raw[index]
            index += 1
            guard byte == UInt8(ascii: "&") else {
                if byte < 0x20, byte != 0x0A { self.faults.append("a control character") }
                result.append(byte)
                continue
            }
            if let (name, meant) = references.first(where: { raw[index...].starts(with: $0.0.utf8) }) {
                result.append(meant)
                index += name.utf8.count
            } else {
                self.faults.append("a bare &")
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func take(_ bytes: [UInt8], _ index: inout Int, while isPart: (UInt8) -> Bool) -> String {
        let start = index
        while index < bytes.count, isPart(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// The decoded text that follows the opening tags of this name.
    func texts(of name: String) -> [String] {
        zip(self.tags, self.texts).filter { $0.0.name == name }.map(\.1)
    }
}
