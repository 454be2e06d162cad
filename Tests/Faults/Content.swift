import TestSupport

/// The content of one upload, unlike that of any other from its first bytes on.
struct Content: Equatable {
    /// Tells contents apart.
    let number: Int
    /// In bytes.
    let size: Int

    /// What contents are cut from: made once, because an optimiser is not at hand.
    private static let noise: [UInt8] = {
        var random = SeededGenerator(seed: 1)
        return (0..<(1 << 18)).flatMap { _ in
            let word = random.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
    }()

    /// The most that a content can have, in bytes.
    static let longest = 1 << 20

    var bytes: [UInt8] {
        let head = Array("upload \(self.number) of \(self.size) bytes\n".utf8)
        let start = self.number &* 4099 & (Self.longest - 1)
        return Array(head.prefix(self.size)) + Self.noise[start..<(start + max(0, self.size - head.count))]
    }
}
