/// `Content-Disposition` for a download (RFC 6266): how to treat the file and what to call it.
public enum AttachmentName {
    public enum Disposition: String, Sendable {
        /// Show it if the browser can.
        case inline
        /// Save it.
        case attachment
    }

    /// The field's value, printable ASCII whatever the name holds.
    ///
    /// A name that a quoted string cannot carry everywhere is given twice (RFC 6266 section 4.3): an approximation in
    /// `filename`, the name itself in `filename*` (RFC 8187). Bytes that are not UTF-8 become U+FFFD there.
    /// Slashes and controls, which no client should act on, become `_` in both.
    public static func header(disposition: Disposition, name: [UInt8]) -> String {
        let text = String(decoding: name.map { self.isUnfit($0) ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
        var fallback = ""
        for scalar in text.unicodeScalars {
            fallback.unicodeScalars.append(self.isPlain(scalar) ? scalar : "_")
        }
        if fallback.isEmpty { fallback = "download" }
        let plain = "\(disposition.rawValue); filename=\"\(fallback)\""
        guard !text.isEmpty, !fallback.utf8.elementsEqual(text.utf8) else { return plain }
        return "\(plain); filename*=UTF-8''\(PercentEncoding.encodeElement(text.utf8))"
    }

    private static func isUnfit(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/")
    }

    /// Quote and backslash need escapes that clients read differently; `%41` some clients decode (RFC 6266 appendix D).
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x20, scalar.value < 0x7F else { return false }
        return scalar != "\"" && scalar != "\\" && scalar != "%"
    }
}
