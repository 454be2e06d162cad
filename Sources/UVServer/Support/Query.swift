/// The names and values of a request target's query, read the way forms write them
/// (`application/x-www-form-urlencoded`): `&` between pairs, `+` for a space.
///
/// A name or value with a malformed escape is kept as it was written. Names compare by byte.
public struct Query: Sendable {
    private struct Pair: Sendable {
        let name: [UInt8]
        let value: [UInt8]
    }

    private let pairs: [Pair]

    /// - Parameter bytes: What follows the first `?` of the target, without it.
    public init(_ bytes: some Collection<UInt8>) {
        self.pairs = bytes.split(separator: UInt8(ascii: "&")).map { pair in
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return Pair(
                name: halves.first.map { Self.decode($0) } ?? [],
                value: halves.count > 1 ? halves.last.map { Self.decode($0) } ?? [] : []
            )
        }
    }

    /// Whether the name occurs, with or without a value: `?sha256` and `?sha256=` both count.
    public func has(_ name: String) -> Bool {
        self.pairs.contains { $0.name.elementsEqual(name.utf8) }
    }

    /// Every value given for the name, in order; a name without `=` has an empty value.
    public func values(_ name: String) -> [[UInt8]] {
        self.pairs.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
    }

    private static func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        // An encoded plus (%2B) must survive, so the blanks come first.
        let spaced = bytes.map { $0 == UInt8(ascii: "+") ? ASCII.space : $0 }
        return PercentEncoding.decode(spaced) ?? spaced
    }
}
