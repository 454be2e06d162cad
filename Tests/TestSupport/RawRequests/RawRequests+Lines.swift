extension RawRequests {
    /// Each of the four line ends of a head as something else than CR LF.
    static let lineEnds: [RawRequest] = {
        let lines = ["GET /a HTTP/1.1", "Host: localhost", "X: y", ""]
        var rows: [RawRequest] = []
        for wrong in lines.indices {
            for end in ["\n", "\r", "\r\r\n", "\n\r", "\n\n", " \n", "\u{0}\r\n", "\u{85}", "\u{B}\r\n"] {
                let texts = lines.indices.map { lines[$0] + ($0 == wrong ? end : "\r\n") }
                rows.append(.refused(400, texts.joined()))
            }
        }
        return rows + [
            .open(200, "\r\n" + RawRequest.get()), .open(200, "\r\n\r\n\r\n\r\n" + RawRequest.get()),
            .refused(400, "\r\n\r\n\r\n\r\n\r\n" + RawRequest.get()), .refused(400, "\n" + RawRequest.get()),
            .refused(400, "\r" + RawRequest.get()), .refused(400, "\r\n\n" + RawRequest.get()),
            .refused(400, " \r\n" + RawRequest.get()), .refused(400, "\u{0}\r\n" + RawRequest.get()),
            .refused(400, "\u{EF}\u{BB}\u{BF}" + RawRequest.get()),
        ]
    }()

    /// Control bytes wherever a head has room for one.
    static let controlBytes: [RawRequest] = {
        let places: [(String, String)] = [
            ("", "GET /a HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\r\n"),
            ("G", "ET /a HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\r\n"),
            ("GET", " /a HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\r\n"),
            ("GET ", "/a HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\r\n"),
            ("GET /", "a HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\r\n"),
            ("GET /a", " HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\r\n"),
            ("GET /a?", "b HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\r\n"),
            ("GET /a ", "HTTP/1.1\r\nHost: localhost\r\nX: y\r\n\r\n"),
            ("GET /a HTTP/1.", "1\r\nHost: localhost\r\nX: y\r\n\r\n"),
            ("GET /a HTTP/1.1", "\r\nHost: localhost\r\nX: y\r\n\r\n"),
            ("GET /a HTTP/1.1\r\n", "Host: localhost\r\nX: y\r\n\r\n"),
            ("GET /a HTTP/1.1\r\nHo", "st: localhost\r\nX: y\r\n\r\n"),
            ("GET /a HTTP/1.1\r\nHost", ": localhost\r\nX: y\r\n\r\n"),
            ("GET /a HTTP/1.1\r\nHost:", " localhost\r\nX: y\r\n\r\n"),
            ("GET /a HTTP/1.1\r\nHost: local", "host\r\nX: y\r\n\r\n"),
            ("GET /a HTTP/1.1\r\nHost: localhost", "\r\nX: y\r\n\r\n"),
            ("GET /a HTTP/1.1\r\nHost: localhost\r\nX: ", "y\r\n\r\n"),
            ("GET /a HTTP/1.1\r\nHost: localhost\r\nX: y", "\r\n\r\n"),
            ("GET /a HTTP/1.1\r\nHost: localhost\r\nX: y\r\n", "\r\n"),
        ]
        return places.flatMap { before, after in
            ["\u{0}", "\u{1}", "\u{8}", "\u{B}", "\u{C}", "\u{1B}", "\u{1F}", "\u{7F}"].map { .refused(400, before + $0 + after) }
        }
    }()

    /// Method, target and version, with one space between them.
    static let requestLines: [RawRequest] = [
        .refused(400, RawRequest.head("GET  /a HTTP/1.1")), .refused(400, RawRequest.head("GET /a  HTTP/1.1")),
        .refused(400, RawRequest.head(" GET /a HTTP/1.1")), .refused(400, RawRequest.head("GET /a HTTP/1.1 ")),
        .refused(400, RawRequest.head("GET\t/a HTTP/1.1")), .refused(400, RawRequest.head("GET /a\tHTTP/1.1")),
        .refused(400, RawRequest.head("GET /a HTTP/1.1\t")), .refused(400, RawRequest.head("GET /a b HTTP/1.1")),
        .refused(400, RawRequest.head("GET /a HTTP/1.1 HTTP/1.1")), .refused(400, RawRequest.head("GET\u{A0}/a HTTP/1.1")),
        .refused(400, RawRequest.head("GET /a")), .refused(400, RawRequest.head("GET")),
        .refused(400, RawRequest.head("/a HTTP/1.1")),
        .refused(400, RawRequest.head("GET HTTP/1.1")), .refused(400, RawRequest.head("GET  HTTP/1.1")),
        .refused(400, RawRequest.head("HTTP/1.1 200 OK")), .refused(400, "Host: localhost\r\n\r\n"), .refused(400, "{}\r\n\r\n"),
        .refused(400, RawRequest.head("GET /a http/1.1")), .refused(400, RawRequest.head("GET /a Http/1.1")),
        .refused(400, RawRequest.head("GET /a HTTP/1")), .refused(400, RawRequest.head("GET /a HTTP/1.")),
        .refused(400, RawRequest.head("GET /a HTTP/.1")), .refused(400, RawRequest.head("GET /a HTTP/1.1.1")),
        .refused(400, RawRequest.head("GET /a HTTP/1.10")), .refused(400, RawRequest.head("GET /a HTTP/01.1")),
        .refused(400, RawRequest.head("GET /a HTTP/+1.1")), .refused(400, RawRequest.head("GET /a HTTP/1,1")),
        .refused(400, RawRequest.head("GET /a HTTP/ 1.1")), .refused(400, RawRequest.head("GET /a HTTP 1.1")),
        .refused(400, RawRequest.head("GET /a HTTPS/1.1")), .refused(400, RawRequest.head("GET /a HTTP/1.x")),
        .refused(400, RawRequest.head("GET /a HTTP/1.1;x")), .refused(400, RawRequest.head("GET /a ICY/1.1")),
        .refused(400, RawRequest.head("GET /a HTTP/\u{B2}.0")), .refused(400, RawRequest.head("GET /a HTTP/2")),
        .refused(505, RawRequest.head("GET /a HTTP/0.9")), .refused(505, RawRequest.head("GET /a HTTP/2.0")),
        .refused(505, RawRequest.head("GET /a HTTP/3.0")), .refused(505, RawRequest.head("GET /a HTTP/9.9")),
        .refused(505, RawRequest.head("GET /a HTTP/0.0")), .refused(505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        .open(200, RawRequest.head("GET /a HTTP/1.2")), .open(200, RawRequest.head("GET /a HTTP/1.9")),
        .last(200, RawRequest.head("GET /a HTTP/1.0")), .last(200, "GET /a HTTP/1.0\r\n\r\n"),
        // A TLS client, SSH, Redis, SMTP, a proxy's preface.
        .refused(400, "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}\u{3}\u{3}"), .refused(400, "SSH-2.0-OpenSSH_9.2\r\n"),
        .refused(400, "*1\r\n$4\r\nPING\r\n"), .refused(400, "EHLO localhost\r\n"),
        .refused(400, "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n"),
        .refused(414, RawRequest.head("GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1")),
        .refused(414, RawRequest.head(String(repeating: "A", count: 9000) + " / HTTP/1.1")),
        .refused(414, RawRequest.head("GET /a?" + String(repeating: "%41", count: 3000) + " HTTP/1.1")),
    ]
}
