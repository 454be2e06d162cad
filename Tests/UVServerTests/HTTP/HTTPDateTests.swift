import Testing
import UVServer

@Suite("HTTP dates")
struct HTTPDateTests {
    static let known: [(Int64, String, String)] = [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT", "1969-12-31T23:59:59Z"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT", "2000-02-29T00:00:00Z"),
        (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT", "2024-02-29T00:00:00Z"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT", "2100-02-28T23:59:59Z"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT", "2100-03-01T00:00:00Z"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT", "9999-12-31T23:59:59Z"),
        (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT", "0000-01-01T00:00:00Z"),
    ]

    @Test("are written and read back", arguments: Self.known)
    func bothWays(_ seconds: Int64, _ http: String, _ rfc3339: String) {
        #expect(HTTPDate.format(seconds) == http)
        #expect(HTTPDate.parse(http) == seconds)
        #expect(HTTPDate.rfc3339(seconds) == rfc3339)
    }

    @Test("come back unchanged over four centuries")
    func roundTrips() {
        for seconds in stride(from: Int64(-6_000_000_000), through: 8_000_000_000, by: 8_639_977) {
            #expect(HTTPDate.parse(HTTPDate.format(seconds)) == seconds)
        }
    }

    @Test("of any file system can be written", arguments: [Int64.min, .min + 1, .max - 1, .max])
    func extremes(_ seconds: Int64) {
        #expect(HTTPDate.format(seconds).utf8.count == 29)
        #expect(HTTPDate.rfc3339(seconds).utf8.count == 20)
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: seconds) != 0)
    }

    @Test(
        "are read in the obsolete forms too",
        arguments: [
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Sun Nov 06 08:49:37 1994", 784_111_777), ("Thu Jan 15 00:00:00 1970", 1_209_600),
            ("Saturday, 31-Dec-16 23:59:60 GMT", 1_483_228_800), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ] as [(String, Int64)])
    func obsolete(_ text: String, _ expected: Int64) {
        #expect(HTTPDate.parse(text) == expected)
    }

    @Test("with two-digit years lie at most fifty years ahead")
    func centuries() {
        #expect(HTTPDate.parse("Wednesday, 01-Jan-76 00:00:00 GMT") == 3_345_062_400)
        #expect(HTTPDate.parse("Saturday, 01-Jan-77 00:00:00 GMT") == 220_924_800)
        #expect(HTTPDate.parse("Monday, 01-Jan-20 00:00:00 GMT", now: 3_471_292_800) == 4_733_510_400)
    }

    @Test(
        "that never were, or are written otherwise, are refused",
        arguments: [
            "", "0", "Sun", "Wed, 30 Feb 1994 00:00:00 GMT", "Mon, 29 Feb 2100 00:00:00 GMT", "Thu, 31 Nov 1994 00:00:00 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37",
            "sun, 06 nov 1994 08:49:37 gmt", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
            "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
            "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
        ])
    func refused(_ text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test("cut anywhere are refused")
    func everyCut() {
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            for cut in 0..<text.utf8.count { #expect(HTTPDate.parse(String(text.prefix(cut))) == nil) }
        }
    }
}
