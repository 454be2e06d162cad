internal import FoundationEssentials

/// The one way we write JSON: keys in order, slashes as they are.
enum JSONText {
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding fails only for numbers that JSON cannot hold, and none of ours is one.
        return (try? encoder.encode(value)).map { [UInt8]($0) } ?? Array("null".utf8)
    }
}
