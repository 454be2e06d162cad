/// Strings of JSON (RFC 8259 section 7), written into bytes: where a hundred thousand are to be written, `JSONEncoder` takes most of the
/// time.
enum JSONString {
    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// Appends the string in its quotes. Bytes that are not UTF-8 become U+FFFD.
    static func append(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if text.allSatisfy({ $0 < 0x80 }) {
            for byte in text { self.append(escaping: byte, to: &bytes) }
        } else {
            for byte in String(decoding: text, as: UTF8.self).utf8 { self.append(escaping: byte, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func append(escaping byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0..<0x20:
            bytes += [UInt8(ascii: "\\"), UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")]
            bytes.append(self.hexDigits[Int(byte >> 4)])
            bytes.append(self.hexDigits[Int(byte & 0x0F)])
        default: bytes.append(byte)
        }
    }
}
