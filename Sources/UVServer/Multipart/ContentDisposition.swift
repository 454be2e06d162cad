/// The `Content-Disposition` of a form part (RFC 7578 section 4.2), as bytes: names may be in any charset or none.
///
/// Browsers escape three bytes in names, `"` as `%22`, CR as `%0D` and LF as `%0A`, and nothing else, not even `%` (WHATWG HTML,
/// "multipart/form-data encoding algorithm"). So `%22` becomes a quote, and every other `%` stays as it is: a line break must
/// never come back, and `%41` may well be what the file is called.
struct ContentDisposition: Equatable, Sendable {
    /// The field's name.
    let name: [UInt8]
    /// The file's name as sent, with its folders if the sender put them in; `nil` for a field that is no file.
    let filename: [UInt8]?

    /// `filename*` is not allowed in forms; it counts only when there is no `filename`, and then only in UTF-8 (RFC 8187).
    /// - Throws: `.badDisposition` when the type is not `form-data`, the name is missing, or a parameter is malformed or repeated.
    init(_ value: ArraySlice<UInt8>) throws(MultipartError) {
        guard let parsed = HeaderParameters(value), ASCII.equalsIgnoringCase(parsed.value, "form-data"),
            parsed.count("name") == 1, let name = parsed["name"], parsed.count("filename") <= 1
        else { throw .badDisposition }
        self.name = Self.unescaped(name)
        if let filename = parsed["filename"] {
            self.filename = Self.unescaped(filename)
        } else if let extended = parsed["filename*"] {
            guard parsed.count("filename*") == 1, let filename = Self.decoded(extended) else { throw .badDisposition }
            self.filename = filename
        } else {
            self.filename = nil
        }
    }

    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.starts(with: "22".utf8) {
                result.append(UInt8(ascii: "\""))
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// The bytes of an `ext-value`, `UTF-8'language'percent-encoded`; `nil` when malformed or in another charset. An escaped
    /// CR or LF stays escaped, as it does in `filename`.
    private static func decoded(_ value: [UInt8]) -> [UInt8]? {
        let pieces = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard pieces.count == 3, ASCII.equalsIgnoringCase(pieces[0], "utf-8") else { return nil }
        var result: [UInt8] = []
        var rest = pieces[2]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let high = digits.first.flatMap(ASCII.hexValue),
                let low = digits.last.flatMap(ASCII.hexValue)
            else { return nil }
            rest = rest.dropFirst(2)
            let decoded = high << 4 | low
            if decoded == ASCII.carriageReturn || decoded == ASCII.lineFeed {
                result.append(byte)
                result += digits
            } else {
                result.append(decoded)
            }
        }
        return result
    }
}
