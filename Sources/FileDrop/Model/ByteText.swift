/// Sizes for people: `812 bytes`, `1.5 MB`. The units are those of `--max-size`: 1 KB is 1024 bytes.
enum ByteText {
    private static let units: [StaticString] = ["KB", "MB", "GB", "TB", "PB", "EB"]

    /// At most one decimal, none from 100 on. A negative count, which no file has, reads as 0.
    static func format(_ bytes: Int64) -> String {
        guard bytes >= 1024 else { return bytes == 1 ? "1 byte" : "\(max(0, bytes)) bytes" }
        // UInt64 holds ten times 2^60, the largest unit; Int64 does not.
        let value = UInt64(bytes)
        var power: UInt64 = 1 << 10
        for (index, unit) in self.units.enumerated() {
            let isLast = index + 1 == self.units.count
            let (whole, rest) = value.quotientAndRemainder(dividingBy: power)
            let tenths = whole * 10 + (rest * 10 + power / 2) / power
            if tenths < 1000 {
                return tenths % 10 == 0 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
            }
            let rounded = whole + (rest >= power / 2 ? 1 : 0)
            if rounded < 1024 || isLast { return "\(rounded) \(unit)" }
            power <<= 10
        }
        return "\(bytes) bytes"
    }
}
