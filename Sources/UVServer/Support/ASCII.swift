/// Byte classes of the protocols' grammars. Everything here works on bytes: text comes after parsing.
public enum ASCII {
    public static let carriageReturn = UInt8(ascii: "\r")
    public static let lineFeed = UInt8(ascii: "\n")
    public static let space = UInt8(ascii: " ")
    public static let tab = UInt8(ascii: "\t")

    public static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    public static func isLetter(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return lower >= 0x61 && lower <= 0x7A
    }

    /// `tchar` of RFC 9110 section 5.6.2: what methods, field names and parameter names are made of.
    public static func isToken(_ byte: UInt8) -> Bool {
        if self.isDigit(byte) || self.isLetter(byte) { return true }
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            return true
        default:
            return false
        }
    }

    /// The value of a hexadecimal digit of either case; `nil` for any other byte.
    public static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// A–Z become a–z; every other byte stays.
    public static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// Compares without regard to the case of ASCII letters.
    public static func equalsIgnoringCase(_ bytes: some Collection<UInt8>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        return "\(text)".utf8.elementsEqual(bytes) { self.lowercased($0) == self.lowercased($1) }
    }

    /// Whether `text`, which is not empty, stands somewhere in `bytes`, without regard to the case of ASCII letters. Unlike searching
    /// a `String` it looks at no grapheme clusters, whose bounds a client can make expensive to find.
    public static func contains(_ bytes: [UInt8], _ text: StaticString) -> Bool {
        let wanted = "\(text)".utf8.map(self.lowercased)
        guard bytes.count >= wanted.count else { return false }
        for start in 0...(bytes.count - wanted.count) where self.lowercased(bytes[start]) == wanted[0] {
            var length = 1
            while length < wanted.count, self.lowercased(bytes[start + length]) == wanted[length] { length += 1 }
            if length == wanted.count { return true }
        }
        return false
    }

    /// Without the spaces and tabs at both ends (`OWS` of RFC 9110 section 5.6.3).
    public static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var slice = bytes
        while let first = slice.first, first == self.space || first == self.tab { slice.removeFirst() }
        while let last = slice.last, last == self.space || last == self.tab { slice.removeLast() }
        return slice
    }

    /// A non-negative decimal number of digits only; `nil` when empty, signed, or larger than `Int64`.
    public static func decimal(_ bytes: some Sequence<UInt8>) -> Int64? {
        var value: Int64 = 0
        var any = false
        for byte in bytes {
            guard self.isDigit(byte) else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(byte - 0x30))
            guard !overflow, !carry else { return nil }
            value = sum
            any = true
        }
        return any ? value : nil
    }
}
