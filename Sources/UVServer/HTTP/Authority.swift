/// The syntax of `uri-host [ ":" port ]`, which a Host field and an absolute-form target share (RFC 9110 section 7.2,
/// RFC 3986 section 3.2). An empty host is refused, as RFC 9110 section 4.2.1 demands for http.
enum Authority {
    static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
        let all = Array(bytes)
        guard let first = all.first else { return false }
        if first == UInt8(ascii: "[") {
            guard let close = all.firstIndex(of: UInt8(ascii: "]")) else { return false }
            return self.isAddress(all[1..<close]) && self.isPortSuffix(all[(close + 1)...])
        }
        let colon = all.firstIndex(of: UInt8(ascii: ":")) ?? all.endIndex
        return colon > 0 && self.isName(all[..<colon]) && self.isPortSuffix(all[colon...])
    }

    /// Nothing, or a colon and a port of up to five digits; an empty port means the usual one.
    private static func isPortSuffix(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let colon = bytes.first else { return true }
        let digits = bytes.dropFirst()
        guard colon == UInt8(ascii: ":"), digits.count <= 5 else { return false }
        if digits.isEmpty { return true }
        guard let port = ASCII.decimal(digits) else { return false }
        return port <= Int64(UInt16.max)
    }

    /// `reg-name` or an IPv4 address: unreserved characters, sub-delims and percent-encoded bytes.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst(), let low = rest.popFirst() else { return false }
                guard ASCII.hexValue(high) != nil, ASCII.hexValue(low) != nil else { return false }
            } else if !ASCII.isLetter(byte) && !ASCII.isDigit(byte) {
                switch byte {
                case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
                    UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
                    UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
                    break
                default:
                    return false
                }
            }
        }
        return true
    }

    /// The bytes of an IPv6 address. Whether they make one is for whoever compares it to find out.
    private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        (2...45).contains(bytes.count) && bytes.contains(UInt8(ascii: ":"))
            && bytes.allSatisfy { ASCII.hexValue($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }
}
