/// A document under construction, as UTF-8. What is written as `markup` is ours and known when compiling; all else is escaped.
///
/// Escaping looks at bytes, never at a `Character`: `<` followed by a combining mark is one `Character` that equals no `<`, but a
/// browser still reads a tag. Every markup byte is ASCII, and no byte of a longer UTF-8 sequence is, so bytes are enough.
struct HTML: Sendable {
    private(set) var bytes: [UInt8] = []

    /// What has been written since the last call, for documents that leave in pieces.
    mutating func take() -> [UInt8] {
        defer { self.bytes = [] }
        return self.bytes
    }

    /// Appends markup as it is. A `StaticString` cannot hold anything that came over the network or from the disk.
    mutating func markup(_ literal: StaticString) {
        self.bytes.append(contentsOf: "\(literal)".utf8)
    }

    /// Appends text, for an element's content or a quoted attribute value.
    mutating func text(_ text: String) {
        for byte in text.utf8 { self.append(escaping: byte) }
    }

    /// Appends a name of any bytes. What is not UTF-8 shows as U+FFFD.
    mutating func text(_ name: [UInt8]) {
        self.text(String(decoding: name, as: UTF8.self))
    }

    /// Appends a name of any bytes in a direction of its own, so that it can be seen and changes nothing around it.
    mutating func name(_ name: [UInt8]) {
        self.markup("<bdi>")
        for piece in VisibleName(name).pieces {
            switch piece {
            case .text(let text): self.text(text)
            case .code(let code):
                self.markup("<span class=\"unseen\">")
                self.text(code)
                self.markup("</span>")
            }
        }
        self.markup("</bdi>")
    }

    /// Appends ` name="value"` with the value escaped.
    mutating func attribute(_ name: StaticString, _ value: String) {
        self.beginAttribute(name)
        self.text(value)
        self.markup("\"")
    }

    /// Appends an attribute whose value is an address within this server (`href`, `action`).
    ///
    /// The value cannot lead anywhere else: without a leading `/` or `?`, or with `//`, it is made relative, so that `my:file` is
    /// a path and no scheme; and bytes that no URL holds (RFC 3986 section 2) are percent-encoded, so that browsers, which drop
    /// tabs and read `\` as `/`, find none to drop or read.
    mutating func reference(_ name: StaticString, _ url: String) {
        self.beginAttribute(name)
        if !Self.startsOnThisServer(url) { self.markup("./") }
        for byte in url.utf8 {
            if Self.isAllowedInURL(byte) {
                self.append(escaping: byte)
            } else {
                self.bytes.append(UInt8(ascii: "%"))
                self.bytes.append(Self.hexDigit(byte >> 4))
                self.bytes.append(Self.hexDigit(byte & 0x0F))
            }
        }
        self.markup("\"")
    }

    private mutating func beginAttribute(_ name: StaticString) {
        self.markup(" ")
        self.markup(name)
        self.markup("=\"")
    }

    /// Control characters have no meaning in HTML and NUL cannot be written at all: they show as their Unicode pictures.
    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "&"): self.markup("&amp;")
        case UInt8(ascii: "<"): self.markup("&lt;")
        case UInt8(ascii: ">"): self.markup("&gt;")
        case UInt8(ascii: "\""): self.markup("&quot;")
        case UInt8(ascii: "'"): self.markup("&#39;")
        case 0x00...0x1F: self.bytes.append(contentsOf: [0xE2, 0x90, 0x80 + byte])
        case 0x7F: self.bytes.append(contentsOf: [0xE2, 0x90, 0xA1])
        default: self.bytes.append(byte)
        }
    }

    private static func startsOnThisServer(_ url: String) -> Bool {
        var bytes = url.utf8.makeIterator()
        switch bytes.next() {
        case UInt8(ascii: "?"): return true
        case UInt8(ascii: "/"): return bytes.next() != UInt8(ascii: "/")
        default: return false
        }
    }

    private static func isAllowedInURL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default:
            byte > 0x20 && byte < 0x7F
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
    }
}
