import TestSupport

/// A request as it must be read by whoever accepts it. It judges nothing: a server that takes a request for longer or shorter than this
/// takes it otherwise than others do.
struct SentRequest {
    let method: String
    /// Decoded, without the query and the slashes at its ends.
    let path: String
    /// Whether the target has none of those slashes, nor two in a row, so that a file at `path` is what it asks for.
    let hasPlainPath: Bool
    /// Without its framing. `nil` when it does not end in what was sent, or could end at more than one place.
    let body: [UInt8]?

    /// Takes the request that `bytes` begins with, or all of them when its body is `nil`.
    /// - Returns: `nil` when there is no whole head.
    init?(from bytes: inout ArraySlice<UInt8>) {
        var rest = bytes
        while rest.starts(with: [13, 10]) { rest = rest.dropFirst(2) }
        guard let length = rest.headLength else { return nil }
        let lines = String(decoding: rest.prefix(length), as: UTF8.self).utf8.split(separator: 13)
        rest = rest.dropFirst(length + 4)
        let words = lines.first.map { $0.split(separator: UInt8(ascii: " ")) } ?? []
        guard words.count == 3 else { return nil }
        var values: [String: String] = [:]
        var lengths = 0
        for line in lines.dropFirst() {
            let pair = line.drop { $0 == 10 }.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard pair.count == 2, let name = String(pair[0]), let value = String(pair[1]) else { continue }
            if ["content-length", "transfer-encoding"].contains(name.lowercased()) { lengths += 1 }
            values[name.lowercased()] = String(value.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
        }
        self.method = String(words[0]) ?? ""
        let path = Self.path(Array(words[1]))
        self.path = Self.decoded(path)
        self.hasPlainPath =
            path.first == UInt8(ascii: "/")
            && !path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().contains { $0.isEmpty }
        self.body = lengths > 1 ? nil : Self.body(values, &rest)
        bytes = self.body == nil ? [] : rest
    }

    private static func body(_ values: [String: String], _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        if values["transfer-encoding"] != nil { return self.chunks(&rest) }
        guard let count = Int(values["content-length"] ?? "0"), count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// The path of a target, as it was sent.
    private static func path(_ target: [UInt8]) -> ArraySlice<UInt8> {
        var path = target.prefix { $0 != UInt8(ascii: "?") }
        if path.first != UInt8(ascii: "/") {
            path = path.drop { $0 != UInt8(ascii: "/") }.dropFirst(2).drop { $0 != UInt8(ascii: "/") }
        }
        return path
    }

    /// The path that an address leads to.
    static func decoded(_ encoded: ArraySlice<UInt8>) -> String {
        var path: [UInt8] = []
        var rest = encoded
        while let byte = rest.popFirst() {
            let escape = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let value = UInt8(escape, radix: 16) {
                path.append(value)
                rest = rest.dropFirst(2)
            } else {
                path.append(byte)
            }
        }
        return String(decoding: path, as: UTF8.self).split(separator: "/").joined(separator: "/")
    }

    private static func chunks(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var body: [UInt8] = []
        while let line = Self.line(&rest) {
            let digits = String(decoding: line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 9 }, as: UTF8.self)
            guard let size = Int(digits, radix: 16), size >= 0, size <= rest.count else { return nil }
            if size == 0 {
                while let trailer = Self.line(&rest) { if trailer.isEmpty { return body } }
                return nil
            }
            body += rest.prefix(size)
            rest = rest.dropFirst(size)
            guard Self.line(&rest)?.isEmpty == true else { return nil }
        }
        return nil
    }

    private static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for index in rest.indices.dropLast() where rest[index] == 13 && rest[index + 1] == 10 {
            defer { rest = rest[(index + 2)...] }
            return rest[..<index]
        }
        return nil
    }
}
