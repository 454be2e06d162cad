import Testing
import UVServer

@Suite("Fields")
struct FieldsTests {
    @Test("Names are compared without regard to case and kept in order")
    func names() {
        var fields = Fields()
        fields.append(.accept, "a")
        fields.append(FieldName("X-One"), "1")
        fields.append(FieldName("ACCEPT"), "b")
        #expect(fields[.accept] == "a" && fields.all(.accept) == ["a", "b"] && fields.count == 3)
        #expect(fields[FieldName("x-one")] == "1" && fields.bytes(.vary) == [])
        fields[.accept] = "c"
        #expect(fields.all(.accept) == ["c"] && fields.count == 2)
        fields[.accept] = nil
        #expect(fields[.accept] == nil && fields.map(\.value) == ["1"])
    }

    @Test(
        "A value cannot end its line",
        arguments: [
            ("a\r\nSet-Cookie: b", "a  Set-Cookie: b"),
            ("a\u{0}b\u{7F}c", "a b c"),
            ("\r\n a \t", "a"),
            ("é\tb", "é\tb"),
            ("\n", ""),
        ])
    func values(_ given: String, _ kept: String) {
        var fields = Fields()
        fields.append(.location, given)
        #expect(fields[.location] == kept)
    }

    @Test(
        "A name from the wire is a token or nothing",
        arguments: [
            ("host", "Host"),
            ("CONTENT-length", "Content-Length"),
            ("x-Thing", "x-Thing"),
            ("", nil),
            ("a b", nil),
            ("a:", nil),
            ("é", nil),
        ] as [(String, String?)])
    func parsing(_ text: String, _ spelling: String?) {
        #expect(FieldName(parsing: Array(text.utf8))?.spelling == spelling)
    }

    @Test("Malformed UTF-8 in a value is repaired as text and kept as bytes")
    func malformed() throws {
        var parser = RequestHeadParser(limits: RequestLimits())
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nReferer: ".utf8) + [0xFF] + Array("\r\n\r\n".utf8)
        guard case .complete(let head, _) = try parser.parse(bytes.span) else { throw Unfinished() }
        #expect(head.fields[.referer] == "\u{FFFD}" && head.fields.bytes(.referer) == [[0xFF]])
    }

    @Test(
        "A connection stays open as RFC 9112 section 9.3 says",
        arguments: [
            ("1.1", "", true), ("1.1", "Connection: close\r\n", false), ("1.1", "Connection: x, Close\r\n", false),
            ("1.1", "Connection: keep-alive\r\nConnection: close\r\n", false), ("1.1", "Connection: closed\r\n", true),
            ("1.0", "", false), ("1.0", "Connection: Keep-Alive\r\n", true), ("1.0", "Connection: keep-alive, close\r\n", false),
        ])
    func keepsAlive(_ version: String, _ lines: String, _ expected: Bool) throws {
        #expect(try head("GET / HTTP/\(version)\r\nHost: a\r\n\(lines)\r\n").keepsAlive == expected)
    }

    @Test("Only an HTTP/1.1 client is told to go on")
    func expectsContinue() throws {
        #expect(try head("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n").expectsContinue)
        #expect(try !head("PUT / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\n\r\n").expectsContinue)
        #expect(try !head("PUT / HTTP/1.1\r\nHost: a\r\n\r\n").expectsContinue)
    }
}
