internal import UVServer

/// IP addresses as text. Looks at the form only; whether the machine has the address is for the listener to find out.
enum AddressLiteral {
    /// The address without brackets, with `localhost` as 127.0.0.1; `nil` for what has not the form of an address.
    static func normalized(_ text: some StringProtocol) -> String? {
        if text == "localhost" { return "127.0.0.1" }
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = String(text.dropFirst().dropLast())
            return self.isIPv6(inner) ? inner : nil
        }
        let address = String(text)
        return self.isIPv4(address) || self.isIPv6(address) ? address : nil
    }

    private static func isIPv4(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard part.count <= 3, let number = ASCII.decimal(part) else { return false }
                return number <= 255
            }
    }

    /// Groups of up to four hexadecimal digits, at most one `::`, a dotted tail, a zone behind `%` (RFC 4291, RFC 4007).
    private static func isIPv6(_ text: String) -> Bool {
        let address = text.prefix { $0 != "%" }
        if address.endIndex != text.endIndex, text[address.endIndex...].count == 1 { return false }
        guard address.contains(":"), !address.contains(":::") else { return false }
        var groups = address.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var count = 0
        if let last = groups.last, last.contains(".") {
            guard self.isIPv4(last) else { return false }
            groups.removeLast()
            count = 2
        }
        // A double colon at either end makes two empty groups there; in the middle one.
        if groups.count > 1, groups[0].isEmpty, groups[1].isEmpty { groups.removeFirst() }
        if count == 0, groups.count > 1, groups[groups.count - 1].isEmpty, groups[groups.count - 2].isEmpty {
            groups.removeLast()
        }
        let filled = groups.filter { !$0.isEmpty }
        let gaps = groups.count - filled.count
        guard filled.allSatisfy({ $0.utf8.count <= 4 && $0.utf8.allSatisfy { ASCII.hexValue($0) != nil } }) else { return false }
        count += filled.count
        return gaps == 0 ? count == 8 : gaps == 1 && count < 8 && address.contains("::")
    }
}
