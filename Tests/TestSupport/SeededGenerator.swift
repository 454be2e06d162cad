/// Random numbers that are the same for the same seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) { self.state = seed }

    public mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From 0, below `end`, which is positive.
    public mutating func below(_ end: Int) -> Int { Int.random(in: 0..<end, using: &self) }

    /// One of them, of which there are some.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[self.below(elements.count)] }

    public mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: self.next()) } }
}
