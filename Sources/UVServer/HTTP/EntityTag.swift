/// An entity tag (RFC 9110 section 8.8.3): names one version of a representation.
///
/// `==` compares all of it; conditions use `stronglyMatches` or `weaklyMatches`.
public struct EntityTag: Equatable, Sendable, CustomStringConvertible {
    public let isWeak: Bool
    /// Between the quotes. Made by us it is of `etagc` bytes: no quote, blank or control.
    public let opaque: String

    public init(isWeak: Bool = false, opaque: String) {
        self.isWeak = isWeak
        self.opaque = opaque
    }

    /// As the field carries it: `"33a64df5"` or `W/"33a64df5"`.
    public var description: String { self.isWeak ? "W/\"\(self.opaque)\"" : "\"\(self.opaque)\"" }

    /// Strong comparison of RFC 9110 section 8.8.3.2: the same bytes are promised, so a weak tag never matches.
    public func stronglyMatches(_ other: EntityTag) -> Bool {
        !self.isWeak && !other.isWeak && self.weaklyMatches(other)
    }

    /// Weak comparison of RFC 9110 section 8.8.3.2: weakness aside, byte for byte.
    public func weaklyMatches(_ other: EntityTag) -> Bool {
        self.opaque.utf8.elementsEqual(other.opaque.utf8)
    }

    public static func == (lhs: EntityTag, rhs: EntityTag) -> Bool {
        lhs.isWeak == rhs.isWeak && lhs.weaklyMatches(rhs)
    }

    /// One tag and nothing else, blanks around it aside.
    public static func parse(_ text: String) -> EntityTag? {
        var rest = ASCII.trimmed(Array(text.utf8)[...])
        guard let tag = self.take(from: &rest), rest.isEmpty else { return nil }
        return tag
    }

    /// A comma-separated list of one tag or more; empty members are skipped (RFC 9110 section 5.6.1.2).
    ///
    /// `*` is not a tag and gives `nil`.
    /// - Returns: `nil` if any member is malformed: the list then says nothing that can be relied on.
    public static func parseList(_ text: String) -> [EntityTag]? {
        var rest = Array(text.utf8)[...]
        var tags: [EntityTag] = []
        while true {
            self.skipBlanks(&rest)
            if let first = rest.first, first != UInt8(ascii: ",") {
                guard let tag = self.take(from: &rest) else { return nil }
                tags.append(tag)
                self.skipBlanks(&rest)
            }
            guard let separator = rest.popFirst() else { return tags.isEmpty ? nil : tags }
            guard separator == UInt8(ascii: ",") else { return nil }
        }
    }

    private static func take(from rest: inout ArraySlice<UInt8>) -> EntityTag? {
        let isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let opaque = rest[..<end]
        // etagc: visible bytes and obs-text. A backslash is itself, not an escape.
        guard opaque.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        rest = rest[end...].dropFirst()
        return EntityTag(isWeak: isWeak, opaque: String(decoding: opaque, as: UTF8.self))
    }

    private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 == ASCII.space || $0 == ASCII.tab }
    }
}
