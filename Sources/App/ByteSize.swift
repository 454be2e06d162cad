internal import UVServer

/// Sizes as people write them: `50MB`, `2 gb`, `1048576`. A unit is a power of 1024; no unit means bytes.
enum ByteSize {
    /// The largest size that can be asked for: 1 EiB. Leaves room for sums of sizes in 64 bits.
    static let most: Int64 = 1 << 60

    private static let units: [(name: String, shift: Int64)] = [
        ("", 0), ("b", 0), ("k", 10), ("kb", 10), ("kib", 10), ("m", 20), ("mb", 20), ("mib", 20), ("g", 30), ("gb", 30),
        ("gib", 30), ("t", 40), ("tb", 40), ("tib", 40),
    ]

    /// The number of bytes that `text` names; `nil` when it is no size, has a sign or a fraction, or is above `most`.
    static func parse(_ text: String) -> Int64? {
        let bytes = ASCII.trimmed(ArraySlice(text.utf8))
        let digits = bytes.prefix(while: ASCII.isDigit)
        let unit = ASCII.trimmed(bytes[digits.endIndex...]).map(ASCII.lowercased)
        guard let count = ASCII.decimal(digits) else { return nil }
        guard let shift = self.units.first(where: { $0.name.utf8.elementsEqual(unit) })?.shift else { return nil }
        guard count <= self.most >> shift else { return nil }
        return count << shift
    }

    /// The size in the largest unit that shows it exactly: `50 MB`, `1 KB`, `1025 bytes`.
    static func format(_ bytes: Int64) -> String {
        for (name, shift) in [("TB", 40), ("GB", 30), ("MB", 20), ("KB", 10)] as [(String, Int64)]
        where bytes > 0 && bytes & ((1 << shift) - 1) == 0 {
            return "\(bytes >> shift) \(name)"
        }
        return bytes == 1 ? "1 byte" : "\(bytes) bytes"
    }
}
