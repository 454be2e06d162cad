/// Percent-encoding of RFC 3986 section 2.1, on bytes.
public enum PercentEncoding {
    private static let upperHex = [UInt8]("0123456789ABCDEF".utf8)

    /// Decodes once: `%2541` becomes `%41` and stays so. `+` is an ordinary byte here.
    ///
    /// The result may hold any byte, zero and `/` included; whoever gives it a meaning checks it.
    /// - Returns: `nil` when a `%` is not followed by two hexadecimal digits.
    public static func decode(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let first = iterator.next(), let high = ASCII.hexValue(first),
                let second = iterator.next(), let low = ASCII.hexValue(second)
            else { return nil }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    /// Encodes one path element or query value: every byte but the unreserved ones of RFC 3986 section 2.3, so the
    /// result has no meaning of its own in a path, a query, an HTML attribute or a `filename*` parameter.
    public static func encodeElement(_ bytes: some Sequence<UInt8>) -> String {
        var encoded: [UInt8] = []
        self.appendElement([UInt8](bytes)[...], to: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    /// As ``encodeElement(_:)``, into bytes that are being written.
    public static func appendElement(_ bytes: ArraySlice<UInt8>, to encoded: inout [UInt8]) {
        for byte in bytes {
            if self.isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(self.upperHex[Int(byte >> 4)])
                encoded.append(self.upperHex[Int(byte & 0x0F)])
            }
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        if ASCII.isLetter(byte) || ASCII.isDigit(byte) { return true }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): return true
        default: return false
        }
    }
}
