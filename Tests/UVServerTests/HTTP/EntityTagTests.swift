import Testing
import UVServer

@Suite("Entity tags")
struct EntityTagTests {
    static func strong(_ opaque: String) -> EntityTag { EntityTag(opaque: opaque) }
    static func weak(_ opaque: String) -> EntityTag { EntityTag(isWeak: true, opaque: opaque) }

    @Test(
        "are read from lists",
        arguments: [
            ("\"a\"", [strong("a")]), ("W/\"a\"", [weak("a")]), ("\"\"", [strong("")]),
            ("\"a\", W/\"b\"", [strong("a"), weak("b")]),
            ("\"a\",\"b\"", [strong("a"), strong("b")]), (" \t\"a\" \t", [strong("a")]), (",, \"a\" ,,", [strong("a")]),
            ("\"a,b\"", [strong("a,b")]), ("\"a\\\"", [strong("a\\")]), ("\"W/\"", [strong("W/")]), ("\"é\"", [strong("é")]),
            ("\"*\"", [strong("*")]),
        ] as [(String, [EntityTag])])
    func lists(_ text: String, _ expected: [EntityTag]) {
        #expect(EntityTag.parseList(text) == expected)
    }

    @Test(
        "that are malformed spoil the list",
        arguments: [
            "", " ", ",", ", ,", "a", "\"", "\"a", "a\"", "w/\"a\"", "W/ \"a\"", "W\"a\"", "W/", "\"a b\"", "\"a\u{7F}\"",
            "\"a\"\"b\"",
            "\"a\" \"b\"", "\"a\", b", "*", "\"a\", *", "\"a\\\"b\"", "'a'", "\"a\";q=1",
        ])
    func malformed(_ text: String) {
        #expect(EntityTag.parseList(text) == nil)
    }

    @Test(
        "compare as RFC 9110 section 8.8.3.2 tabulates",
        arguments: [
            (weak("1"), weak("1"), false, true), (weak("1"), weak("2"), false, false),
            (weak("1"), strong("1"), false, true), (strong("1"), strong("1"), true, true),
            (strong("\u{E9}"), strong("e\u{301}"), false, false),
        ] as [(EntityTag, EntityTag, Bool, Bool)])
    func compares(_ one: EntityTag, _ other: EntityTag, _ strongly: Bool, _ weakly: Bool) {
        #expect(one.stronglyMatches(other) == strongly && other.stronglyMatches(one) == strongly)
        #expect(one.weaklyMatches(other) == weakly && other.weaklyMatches(one) == weakly)
    }

    @Test("are written as they are read")
    func written() {
        for text in ["\"a\"", "W/\"a\"", "\"\""] { #expect(EntityTag.parse(text)?.description == text) }
        #expect(EntityTag.parse("\"a\", \"b\"") == nil)
    }
}
