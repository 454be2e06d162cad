import Testing
import UVServer

@Suite("Request heads")
struct RequestHeadParserTests {
    static let good: [(String, String)] = [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / 1.1 @a Host=a"),
        ("GET / HTTP/1.0\r\n\r\n", "GET / 1.0 @- "),
        ("GET / HTTP/1.0\r\nHost: a\r\n\r\n", "GET / 1.0 @a Host=a"),
        ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", "GET / 1.1 @a Host=a"),
        ("GET / HTTP/1.9\r\nHost: a\r\n\r\n", "GET / 1.1 @a Host=a"),
        ("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / 1.1 @a Host=a"),
        ("\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / 1.1 @a Host=a"),
        ("GET /a?b=c?d HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a?b=c?d 1.1 @a Host=a"),
        ("GET /a? HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a? 1.1 @a Host=a"),
        ("GET /%zz%2F..//x HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%zz%2F..//x 1.1 @a Host=a"),
        ("GET //b/c HTTP/1.1\r\nHost: a\r\n\r\n", "GET //b/c 1.1 @a Host=a"),
        ("GET /사진.jpg HTTP/1.1\r\nHost: a\r\n\r\n", "GET /사진.jpg 1.1 @a Host=a"),
        ("GET /a|b[c]\"^` HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a|b[c]\"^` 1.1 @a Host=a"),
        ("GET http://b:81/c?d HTTP/1.1\r\nHost: a\r\n\r\n", "GET /c?d 1.1 @b:81 Host=a"),
        ("GET HTTPS://b HTTP/1.1\r\nHost: a\r\n\r\n", "GET / 1.1 @b Host=a"),
        ("GET http://b?q HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?q 1.1 @b Host=a"),
        ("GET http://[::1]:8080/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET / 1.1 @[::1]:8080 Host=a"),
        ("GET http://b/ HTTP/1.0\r\n\r\n", "GET / 1.0 @b "),
        ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * 1.1 @a Host=a"),
        ("OPTIONS /x HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS /x 1.1 @a Host=a"),
        ("PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n", "PROPFIND / 1.1 @a Host=a"),
        ("get / HTTP/1.1\r\nHost: a\r\n\r\n", "get / 1.1 @a Host=a"),
        ("M-SEARCH! / HTTP/1.1\r\nHost: a\r\n\r\n", "M-SEARCH! / 1.1 @a Host=a"),
        ("GET / HTTP/1.1\r\nhOsT:a\r\n\r\n", "GET / 1.1 @a Host=a"),
        ("GET / HTTP/1.1\r\nHost: \t a \t \r\n\r\n", "GET / 1.1 @a Host=a"),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n", "GET / 1.1 @127.0.0.1:8080 Host=127.0.0.1:8080"),
        ("GET / HTTP/1.1\r\nHost: [fe80::1]:80\r\n\r\n", "GET / 1.1 @[fe80::1]:80 Host=[fe80::1]:80"),
        ("GET / HTTP/1.1\r\nHost: a:\r\n\r\n", "GET / 1.1 @a: Host=a:"),
        ("GET / HTTP/1.1\r\nHost: a%20b\r\n\r\n", "GET / 1.1 @a%20b Host=a%20b"),
        ("GET / HTTP/1.1\r\nHost: a\r\nX-Odd: b:c d\te\r\n\r\n", "GET / 1.1 @a Host=a|X-Odd=b:c d\te"),
        ("GET / HTTP/1.1\r\nHost: a\r\nX:\r\nX: 2\r\n\r\n", "GET / 1.1 @a Host=a|X=|X=2"),
        ("GET / HTTP/1.1\r\nHost: a\r\nRange: é\r\n\r\n", "GET / 1.1 @a Host=a|Range=é"),
        ("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n\r\n", "PUT / 1.1 @a Host=a|Expect=100-Continue"),
    ]

    static let bad: [(String, HTTPError)] = [
        ("\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\n", .tooManyBlankLines(limit: 4)),
        ("\nGET / HTTP/1.1\r\n", .bareLineEnd), ("\rGET / HTTP/1.1\r\n", .bareLineEnd), ("\r\r\n", .bareLineEnd),
        (" GET / HTTP/1.1\r\n", .malformedMethod), ("\u{16}\u{3}\u{1}", .malformedMethod),
        ("GE(T / HTTP/1.1\r\n", .malformedMethod), ("GÉT / HTTP/1.1\r\n", .malformedMethod),
        ("GET\r\n", .malformedRequestLine),
        ("GET /\r\n", .malformedRequestLine),
        ("GET  HTTP/1.1\r\n", .malformedRequestLine),
        ("GET  / HTTP/1.1\r\n", .malformedRequestLine), ("GET /  HTTP/1.1\r\n", .malformedRequestLine),
        ("GET /a b HTTP/1.1\r\n", .malformedRequestLine), ("GET / HTTP/1.1 \r\n", .malformedRequestLine),
        ("GET\t/ HTTP/1.1\r\n", .malformedMethod), ("GET /\tHTTP/1.1\r\n", .malformedRequestLine),
        ("GET / HTTP/1.1\t\r\n", .malformedVersion), ("GET / http/1.1\r\n", .malformedVersion),
        ("GET / HTTP/1\r\n", .malformedVersion), ("GET / HTTP/1.10\r\n", .malformedVersion),
        ("GET / HTTP/11\r\n", .malformedVersion), ("GET / HTTP/1,1\r\n", .malformedVersion),
        ("GET / HTTP/-1.1\r\n", .malformedVersion), ("GET / HTTP/1.x\r\n", .malformedVersion),
        ("GET / HTTP/0.9\r\n", .unsupportedVersion), ("GET / HTTP/2.0\r\n", .unsupportedVersion),
        ("GET / HTTP/9.9\r\n", .unsupportedVersion), ("PRI * HTTP/2.0\r\n", .unsupportedVersion),
        ("GET * HTTP/1.1\r\n", .malformedTarget), ("GET a HTTP/1.1\r\n", .malformedTarget),
        ("GET ?a HTTP/1.1\r\n", .malformedTarget), ("GET /a#b HTTP/1.1\r\n", .malformedTarget),
        ("GET /\u{0} HTTP/1.1\r\n", .malformedTarget), ("GET /\u{7F} HTTP/1.1\r\n", .malformedTarget),
        ("GET /a\tb HTTP/1.1\r\n", .malformedTarget), ("GET ftp://a/ HTTP/1.1\r\n", .malformedTarget),
        ("GET http:/a HTTP/1.1\r\n", .malformedTarget), ("GET http:// HTTP/1.1\r\n", .malformedTarget),
        ("GET http:///a HTTP/1.1\r\n", .malformedTarget), ("GET http://u@a/ HTTP/1.1\r\n", .malformedTarget),
        ("GET http://a:b/ HTTP/1.1\r\n", .malformedTarget), ("OPTIONS *a HTTP/1.1\r\n", .malformedTarget),
        ("CONNECT a:443 HTTP/1.1\r\n", .tunnelRefused), ("CONNECT / HTTP/1.1\r\n", .tunnelRefused),
        ("GET / HTTP/1.1\n", .bareLineEnd), ("GET / HTTP/1.1\rHost: a\r\n", .bareLineEnd),
        ("GET / HTTP/1.1\r\r\n", .bareLineEnd), ("GET /\rx HTTP/1.1\r\n", .bareLineEnd),
        ("GET / HTTP/1.1\r\nHost: a\n\r\n", .bareLineEnd), ("GET / HTTP/1.1\r\nHost: a\r\n\n", .bareLineEnd),
        ("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", .bareLineEnd), ("GET / HTTP/1.1\r\nHost: a\r\n\rX", .bareLineEnd),
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .blankBeforeColon),
        ("GET / HTTP/1.1\r\nHost\t: a\r\n\r\n", .blankBeforeColon),
        ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", .foldedField), ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", .foldedField),
        ("GET / HTTP/1.1\r\nHost: a\r\n\tb\r\n\r\n", .foldedField), ("GET / HTTP/1.1\r\nHost: a\r\n \r\n\r\n", .foldedField),
        ("GET / HTTP/1.1\r\n: a\r\n\r\n", .malformedFieldName), ("GET / HTTP/1.1\r\nHost\r\n\r\n", .malformedFieldName),
        ("GET / HTTP/1.1\r\nHo st: a\r\n\r\n", .malformedFieldName),
        ("GET / HTTP/1.1\r\nH\u{0}: a\r\n\r\n", .malformedFieldName),
        ("GET / HTTP/1.1\r\nHöst: a\r\n\r\n", .malformedFieldName),
        ("GET / HTTP/1.1\r\n(x): a\r\n\r\n", .malformedFieldName),
        ("GET / HTTP/1.1\r\nX: a\u{0}b\r\n\r\n", .malformedFieldValue),
        ("GET / HTTP/1.1\r\nX: \u{1B}[m\r\n\r\n", .malformedFieldValue),
        ("GET / HTTP/1.1\r\nX: \u{7F}\r\n\r\n", .malformedFieldValue),
        ("GET / HTTP/1.1\r\nX: \u{B}a\r\n\r\n", .malformedFieldValue),
        ("GET / HTTP/1.1\r\n\r\n", .missingHost), ("GET http://a/ HTTP/1.1\r\n\r\n", .missingHost),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", .duplicateHost),
        ("GET / HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n", .duplicateHost),
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", .malformedHost), ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", .malformedHost), ("GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: a:x\r\n\r\n", .malformedHost), ("GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: a:1:2\r\n\r\n", .malformedHost), ("GET / HTTP/1.1\r\nHost: :80\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", .malformedHost), ("GET / HTTP/1.1\r\nHost: [::1]x\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: []\r\n\r\n", .malformedHost), ("GET / HTTP/1.1\r\nHost: a%2\r\n\r\n", .malformedHost),
        ("GET / HTTP/1.1\r\nHost: http://a\r\n\r\n", .malformedHost), ("GET / HTTP/1.1\r\nHost: é\r\n\r\n", .malformedHost),
        ("GET http://b/ HTTP/1.1\r\nHost: a b\r\n\r\n", .malformedHost),
        ("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n", .unknownExpectation),
        ("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue, x\r\n\r\n", .unknownExpectation),
    ]

    @Test("A right head is read the same however it is cut, and what follows is left alone", arguments: Self.good)
    func accepts(_ text: String, _ expected: String) {
        for pieces in everyCut(Array((text + "GET /next\n").utf8)) {
            #expect(parseHead(pieces) == .head(expected, rest: "GET /next\n"))
        }
    }

    @Test("A wrong head is refused with the same error however it is cut", arguments: Self.bad)
    func refuses(_ text: String, _ expected: HTTPError) {
        for pieces in everyCut(Array(text.utf8)) { #expect(parseHead(pieces) == .failed(expected)) }
    }

    @Test("A head cut off anywhere is waited for", arguments: Self.good)
    func waits(_ text: String, _ expected: String) {
        let bytes = Array(text.utf8)
        for end in 0..<bytes.count { #expect(parseHead([Array(bytes[..<end])]) == .needsMore) }
    }

    @Test("Every limit holds to the byte")
    func limits() {
        var limits = RequestLimits()
        limits.requestLineBytes = 16
        limits.headBytes = 40
        limits.fieldCount = 2
        let rows: [(String, HTTPError?)] = [
            ("GET /aa HTTP/1.1\r\nHost: a\r\n\r\n", nil),
            ("GET /aaa HTTP/1.1\r\nHost: a\r\n\r\n", .requestLineTooLong(limit: 16)),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: 345678901234\r\n\r\n", nil),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: 3456789012345\r\n\r\n", .headTooLarge(limit: 40)),
            ("GET / HTTP/1.1\r\nHost: a\r\nX:\r\n\r\n", nil),
            ("GET / HTTP/1.1\r\nHost: a\r\nX:\r\nY:\r\n\r\n", .tooManyFields(limit: 2)),
        ]
        for (text, error) in rows {
            for pieces in everyCut(Array(text.utf8)) {
                switch parseHead(pieces, limits: limits) {
                case .head: #expect(error == nil, "\(text)")
                case .failed(let found): #expect(found == error, "\(text)")
                case .needsMore: Issue.record("\(text) did not end")
                }
            }
        }
    }

    @Test("An endless line is refused at its limit, not kept")
    func endless() {
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        #expect(parseHead(Array(repeating: letters, count: 100)) == .failed(.requestLineTooLong(limit: 8192)))
        let start = Array("GET / HTTP/1.1\r\nX: ".utf8)
        #expect(parseHead([start] + Array(repeating: letters, count: 100)) == .failed(.headTooLarge(limit: 65536)))
    }

    @Test("A24: two requests in one piece are read one after the other")
    func pipelined() throws {
        let first = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
        let bytes = Array((first + "GET /2 HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n").utf8)
        var parser = RequestHeadParser(limits: RequestLimits())
        guard case .complete(let one, let consumed) = try parser.parse(bytes.span) else { throw Unfinished() }
        #expect(consumed == first.utf8.count && !parser.hasStarted && one.keepsAlive)
        guard case .complete(let two, let rest) = try parser.parse(bytes.span.extracting(consumed...)) else { throw Unfinished() }
        #expect(summary(two) == "GET /2 1.1 @b Host=b|Connection=close")
        #expect(rest == bytes.count - consumed && !two.keepsAlive)
    }

    @Test("A parser has started with the first byte that is not an empty line")
    func started() throws {
        var parser = RequestHeadParser(limits: RequestLimits())
        for byte in Array("\r\n\r\n".utf8) {
            _ = try parser.parse([byte].span)
            #expect(!parser.hasStarted)
        }
        _ = try parser.parse([UInt8(ascii: "G")].span)
        #expect(parser.hasStarted)
    }

    @Test("A changed byte anywhere ends in a head, an error or a wait, never in a trap")
    func mutations() {
        let base = Array("PUT /a?b HTTP/1.1\r\nHost: [::1]:80\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n".utf8)
        for index in base.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = base
                bytes[index] = byte
                let whole = parseHead([bytes])
                #expect(parseHead([Array(bytes[..<index]), Array(bytes[index...])]) == whole)
            }
        }
    }
}
