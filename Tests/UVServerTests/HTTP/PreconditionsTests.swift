import Testing
import UVServer

@Suite("Conditional requests")
struct PreconditionsTests {
    /// The stored file: tag "v2", last changed at 1994-11-06 08:49:37.
    static let current = Preconditions.Validators(tag: EntityTag(opaque: "v2"), modified: 784_111_777)
    static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    static let after = "Sun, 06 Nov 1994 08:49:38 GMT"

    struct Row: Sendable, CustomTestStringConvertible {
        var match: String?
        var noneMatch: String?
        var modified: String?
        var unmodified: String?
        /// For GET, for PUT, and for PUT where nothing is stored.
        var expected: [Preconditions.Outcome]

        var testDescription: String {
            "If-Match \(match ?? "-") If-None-Match \(noneMatch ?? "-") since \(modified ?? "-") unmodified \(unmodified ?? "-")"
        }
    }

    @Test(
        "are decided in the order of RFC 9110 section 13.2.2",
        arguments: [
            Row(expected: [.proceed, .proceed, .proceed]),
            Row(match: "*", expected: [.proceed, .proceed, .failed]),
            Row(match: "\"v2\"", expected: [.proceed, .proceed, .failed]),
            Row(match: "\"v1\", \"v2\"", expected: [.proceed, .proceed, .failed]),
            Row(match: "\"v1\"", expected: [.failed, .failed, .failed]),
            Row(match: "W/\"v2\"", expected: [.failed, .failed, .failed]),
            Row(match: "v2", expected: [.failed, .failed, .failed]),
            Row(match: "\"v2\"", unmodified: Self.before, expected: [.proceed, .proceed, .failed]),
            Row(match: "\"v1\"", unmodified: Self.after, expected: [.failed, .failed, .failed]),
            Row(unmodified: Self.before, expected: [.failed, .failed, .proceed]),
            Row(unmodified: Self.same, expected: [.proceed, .proceed, .proceed]),
            Row(unmodified: Self.after, expected: [.proceed, .proceed, .proceed]),
            Row(unmodified: "yesterday", expected: [.proceed, .proceed, .proceed]),
            Row(noneMatch: "*", expected: [.notModified, .failed, .proceed]),
            Row(noneMatch: " * ", expected: [.notModified, .failed, .proceed]),
            Row(noneMatch: "\"v2\"", expected: [.notModified, .failed, .proceed]),
            Row(noneMatch: "\"v1\",W/\"v2\"", expected: [.notModified, .failed, .proceed]),
            Row(noneMatch: "\"v1\"", expected: [.proceed, .proceed, .proceed]),
            Row(noneMatch: "\"v22\"", expected: [.proceed, .proceed, .proceed]),
            Row(noneMatch: "v2", expected: [.proceed, .failed, .proceed]),
            Row(noneMatch: "*, \"v1\"", expected: [.proceed, .failed, .proceed]),
            Row(noneMatch: "\"nope\"", modified: Self.after, expected: [.proceed, .proceed, .proceed]),
            Row(noneMatch: "\"nope\"", modified: Self.same, expected: [.proceed, .proceed, .proceed]),
            Row(noneMatch: "nope", modified: Self.after, expected: [.proceed, .failed, .proceed]),
            Row(noneMatch: "\"v2\"", modified: Self.before, expected: [.notModified, .failed, .proceed]),
            Row(modified: Self.before, expected: [.proceed, .proceed, .proceed]),
            Row(modified: Self.same, expected: [.notModified, .proceed, .proceed]),
            Row(modified: Self.after, expected: [.notModified, .proceed, .proceed]),
            Row(modified: "Wed, 30 Feb 2095 00:00:00 GMT", expected: [.proceed, .proceed, .proceed]),
            Row(match: "\"v2\"", noneMatch: "\"v2\"", expected: [.notModified, .failed, .failed]),
            Row(modified: Self.same, unmodified: Self.before, expected: [.failed, .failed, .proceed]),
        ])
    func order(_ row: Row) {
        let conditions = Preconditions(
            ifMatch: row.match, ifNoneMatch: row.noneMatch, ifModifiedSince: row.modified,
            ifUnmodifiedSince: row.unmodified, ifRange: nil
        )
        let outcomes = [
            conditions.evaluate(isRead: true, current: Self.current),
            conditions.evaluate(isRead: false, current: Self.current),
            conditions.evaluate(isRead: false, current: nil),
        ]
        #expect(outcomes == row.expected)
    }

    @Test(
        "honour a range only for the very same file",
        arguments: [
            (nil, true), ("\"v2\"", true), (" \"v2\" ", true), ("\"v1\"", false), ("W/\"v2\"", false), ("\"v\"", false),
            ("\"v22\"", false), ("v2", false), ("\"v2\", \"v1\"", false), ("*", false), ("", false), (Self.same, true),
            ("Sunday, 06-Nov-94 08:49:37 GMT", true), (Self.before, false), (Self.after, false), ("Sun, 06 Nov 1994", false),
        ] as [(String?, Bool)])
    func ranges(_ ifRange: String?, _ expected: Bool) {
        let conditions = Preconditions(
            ifMatch: nil, ifNoneMatch: nil, ifModifiedSince: nil, ifUnmodifiedSince: nil, ifRange: ifRange
        )
        #expect(conditions.allowsRange(Self.current) == expected)
    }

    @Test("never honour a range for a file with a weak tag")
    func weakCurrent() {
        let weak = Preconditions.Validators(tag: EntityTag(isWeak: true, opaque: "v2"), modified: 0)
        for text in ["\"v2\"", "W/\"v2\""] {
            let conditions = Preconditions(
                ifMatch: nil, ifNoneMatch: nil, ifModifiedSince: nil, ifUnmodifiedSince: nil, ifRange: text
            )
            #expect(!conditions.allowsRange(weak))
        }
    }
}
