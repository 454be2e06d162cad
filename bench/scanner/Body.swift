/// What the parser is made to read.
enum Body {
    /// Floods of what a delimiter is made of, without a beginning of one past its CRLF.
    static let floods = [
        ("CR", "\r"), ("LF", "\n"), ("dashes", "-"), ("the letter a", "a"), ("CRLF", "\r\n"), ("CR LF CR", "\r\n\r"),
    ]

    /// Units that look like the delimiter of `boundary` for a while, and hold no whole one when repeated.
    static func nearDelimiters(_ boundary: String) -> [(String, String)] {
        let delimiter = "\r\n--\(boundary)"
        let prefix = String(decoding: delimiter.utf8.dropLast(), as: UTF8.self)
        let short = String(decoding: prefix.utf8.prefix(5), as: UTF8.self)
        return [
            ("CR x dash", "\rx-"), ("CR CR dash", "\r\r-"), ("CR x dash dash", "\rx--"), ("CRLF dash", "\r\n-"),
            ("CRLF dash dash", "\r\n--"), ("CRLF dash dash, a wrong letter", "\r\n--~"), ("all but the last byte", prefix),
            ("up to five bytes", short), ("five bytes and 12 others", short + String(repeating: "x", count: 12)),
            ("five bytes and 20 others", short + String(repeating: "x", count: 20)),
            ("five bytes and 60 others", short + String(repeating: "x", count: 60)),
            ("CR x dash and 20 others", "\rx-" + String(repeating: "x", count: 20)),
            ("CR x dash and 60 others", "\rx-" + String(repeating: "x", count: 60)),
        ]
    }

    static func random(_ count: Int, _ generator: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            let word = generator.next()
            for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
        }
        return bytes
    }

    static func repeating(_ unit: String, _ count: Int) -> [UInt8] {
        let unit = Array(unit.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + unit.count)
        while bytes.count < count { bytes += unit }
        return bytes
    }

    /// The near delimiters and a few shorter things in an order no branch predictor can learn.
    static func shuffled(_ boundary: String, _ count: Int, _ generator: inout some RandomNumberGenerator) -> [UInt8] {
        let units = (self.nearDelimiters(boundary).map(\.1).filter { $0.utf8.count <= 5 } + ["\r", "\r\n", "x"]).map {
            Array($0.utf8)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { bytes += units[Int(generator.next() % UInt64(units.count))] }
        return bytes
    }
}
