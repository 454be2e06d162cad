/// The conditions of a request, decided in the order of RFC 9110 section 13.2.2.
///
/// Give each field whole: several lines of `If-Match` or `If-None-Match` joined with commas. They count only where the
/// answer without them would be a success (RFC 9110 section 13.2.1): a 404 stays a 404.
public struct Preconditions: Sendable {
    /// What the current representation is known by.
    public struct Validators: Equatable, Sendable {
        public var tag: EntityTag
        /// Last change, in seconds since 1970-01-01 00:00:00 UTC, as `Last-Modified` says it.
        public var modified: Int64

        public init(tag: EntityTag, modified: Int64) {
            self.tag = tag
            self.modified = modified
        }
    }

    public enum Outcome: Equatable, Sendable {
        /// Answer as if there were no conditions, `If-Range` aside.
        case proceed
        /// 304: the client's copy is current.
        case notModified
        /// 412: the client's picture of the resource is not.
        case failed
    }

    private enum TagCondition: Sendable {
        /// `*`
        case any
        /// Empty when the field was malformed: no tag then matches.
        case tags([EntityTag])
    }

    private let ifMatch: TagCondition?
    private let ifNoneMatch: TagCondition?
    private let ifModifiedSince: Int64?
    private let ifUnmodifiedSince: Int64?
    private let ifRange: String?

    /// - Parameters: Field values as received; `nil` where the request has no such field. Dates that cannot be read
    ///   are ignored (RFC 9110 sections 13.1.3 and 13.1.4); tag lists that cannot be read match nothing.
    public init(
        ifMatch: String?, ifNoneMatch: String?, ifModifiedSince: String?, ifUnmodifiedSince: String?, ifRange: String?
    ) {
        self.ifMatch = ifMatch.map(Self.condition)
        self.ifNoneMatch = ifNoneMatch.map(Self.condition)
        self.ifModifiedSince = ifModifiedSince.flatMap(Self.date)
        self.ifUnmodifiedSince = ifUnmodifiedSince.flatMap(Self.date)
        self.ifRange = ifRange
    }

    /// Whether any of them binds a write. Dates that cannot be read are none.
    public var bindWrites: Bool { self.ifMatch != nil || self.ifNoneMatch != nil || self.ifUnmodifiedSince != nil }

    /// - Parameters:
    ///   - isRead: Whether the method is GET or HEAD.
    ///   - current: `nil` when the target has no representation: nothing is stored there yet.
    public func evaluate(isRead: Bool, current: Validators?) -> Outcome {
        if let condition = self.ifMatch {
            guard Self.holds(condition, for: current, by: { $0.stronglyMatches($1) }) else { return .failed }
        } else if let date = self.ifUnmodifiedSince, let current, current.modified > date {
            return .failed
        }
        if let condition = self.ifNoneMatch {
            if Self.holds(condition, for: current, by: { $0.weaklyMatches($1) }) {
                return isRead ? .notModified : .failed
            }
            // Whoever sends a condition with a write wants it checked; one that cannot be read must not overwrite.
            if !isRead, current != nil, case .tags([]) = condition { return .failed }
        } else if isRead, let date = self.ifModifiedSince, let current, current.modified <= date {
            return .notModified
        }
        return .proceed
    }

    /// Whether `Range` may be honoured as far as `If-Range` goes (RFC 9110 section 13.1.5): without the field, with the
    /// current tag (strong on both sides), or with exactly the date of the last change. Otherwise the whole is due.
    public func allowsRange(_ current: Validators) -> Bool {
        guard let ifRange = self.ifRange else { return true }
        if let tag = EntityTag.parse(ifRange) { return tag.stronglyMatches(current.tag) }
        // Not "no later than": a file restored from a backup is older and still another file.
        return Self.date(ifRange) == current.modified
    }

    private static func holds(
        _ condition: TagCondition, for current: Validators?, by matches: (EntityTag, EntityTag) -> Bool
    ) -> Bool {
        guard let current else { return false }
        switch condition {
        case .any: return true
        case .tags(let tags): return tags.contains { matches($0, current.tag) }
        }
    }

    private static func condition(_ text: String) -> TagCondition {
        if ASCII.trimmed(Array(text.utf8)[...]) == [UInt8(ascii: "*")] { return .any }
        return .tags(EntityTag.parseList(text) ?? [])
    }

    private static func date(_ text: String) -> Int64? {
        HTTPDate.parse(String(decoding: ASCII.trimmed(Array(text.utf8)[...]), as: UTF8.self))
    }
}
