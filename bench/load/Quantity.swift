import UVServer

/// Numbers with units, as people write them on a command line.
enum Quantity {
    private static let units: [(name: String, factor: Double)] = [
        ("", 1), ("B", 1), ("kB", 1e3), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9), ("KiB", 1024), ("MiB", 1_048_576),
        ("GiB", 1_073_741_824),
    ]

    /// A number of bytes: `4096`, `64KiB`, `20MB`, `1.5GiB`. `nil` for anything else and for what is beyond an exbibyte.
    static func bytes(_ text: String) -> Int64? {
        guard let (number, unit) = self.split(text), let factor = self.units.first(where: { $0.name == unit })?.factor,
            number * factor <= 0x1p60
        else { return nil }
        return Int64(number * factor)
    }

    /// Bytes a second: `20MB/s`; `/s` may be left out.
    static func rate(_ text: String) -> Int64? { self.bytes(text.hasSuffix("/s") ? String(text.dropLast(2)) : text) }

    /// Requests a second: `500/s`, `0.5/s`; `/s` may be left out. More than none.
    static func pace(_ text: String) -> Double? {
        guard let (number, unit) = self.split(text), unit == "/s" || unit.isEmpty, number > 0 else { return nil }
        return number
    }

    /// A time: `10s`, `500ms`, `2m`; seconds where no unit is given.
    static func duration(_ text: String) -> Duration? {
        let factors = ["": 1.0, "s": 1, "ms": 1e-3, "m": 60, "h": 3600]
        guard let (number, unit) = self.split(text), let factor = factors[unit], number * factor <= 1e9 else { return nil }
        return .seconds(number * factor)
    }

    /// A whole number of one or more.
    static func count(_ text: String) -> Int? {
        guard let value = ASCII.decimal(text.utf8), (1...1_000_000_000).contains(value) else { return nil }
        return Int(value)
    }

    static func flag(_ text: String) -> Bool? {
        switch text {
        case "yes", "true", "on", "1": true
        case "no", "false", "off", "0": false
        default: nil
        }
    }

    private static func split(_ text: String) -> (Double, String)? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits) else { return nil }
        return (number, String(text[digits.endIndex...]))
    }
}
