extension RawRequests {
    /// Names, colons and values.
    static let fields: [RawRequest] = {
        let wrong = [
            "No colon", "X", ": y", " : y", "X : y", "X\t: y", "X \t : y", " X: y", "\tX: y", "X y: z", "X: a\r\n b",
            "X: a\r\n\tb", "X:\r\n b",
            "X: a\r\n ", "X: a\r\n\t", "X: a\r\n Content-Length: 5", "\u{E9}: y", "X\u{A0}: y", "X\u{FF}: y", "X\u{80}Y: z",
        ]
        let delimiters = "(),/;<=>?@[\\]{}\"".map { "X\($0)Y: z" }
        let right = [
            "X:", "X: ", "X:y", "X: \t y \t ", "X: a:b", "X:: y", "X: \"quoted, \\\" \"", "X: a\tb", "X: \u{E9}\u{80}\u{FF}",
            "X: (comment)",
            "!#$%&'*+-.^_`|~: y", "0: 1", "x: y\r\nX: y\r\nx: z", "Range: bytes", "Range: bytes=", "Range: bytes=x-",
            "Range: kittens=0-1",
            "If-Modified-Since: yesterday", "If-Match: *", "If-None-Match: \"", "If-Range: x", "Accept: ;;;,,,",
            "Accept: */*;q=\u{FF}",
            "Cookie: \(String(repeating: "a=b; ", count: 200))", "X-HTTP-Method-Override: DELETE", "X-Method: DELETE",
            "X-Original-URL: /delete/kept", "X-Rewrite-URL: /delete/kept", "Content-Type: multipart/form-data; boundary=x",
            "Authorization: Basic !", "Sec-Fetch-Site: cross-site", "Origin: http://evil.example", "Upgrade-Insecure-Requests: 1",
        ]
        return wrong.map { .refused(400, RawRequest.get($0)) } + delimiters.map { .refused(400, RawRequest.get($0)) }
            + right.map { .open(200, RawRequest.get($0)) }
            + [
                .refused(400, "GET /a HTTP/1.1\r\n\tHost: localhost\r\n\r\n"), .refused(400, "GET /a HTTP/1.1\r\n : x\r\n\r\n"),
                .open(200, RawRequest.get((1..<100).map { "X: \($0)" }.joined(separator: "\r\n"))),
                .refused(431, RawRequest.get((1...100).map { "X: \($0)" }.joined(separator: "\r\n"))),
                .refused(431, RawRequest.get("X: " + String(repeating: "y", count: 66_000))),
                .refused(431, RawRequest.get(String(repeating: "X", count: 66_000) + ": y")),
                .refused(431, RawRequest.get("X:" + String(repeating: " ", count: 66_000) + "y")),
                .refused(
                    431,
                    RawRequest.get(String(repeating: "Cookie: \(String(repeating: "c", count: 990))\r\n", count: 67) + "X: y")),
            ]
    }()

    /// What a client may say about its body before it sends it.
    static let expectations: [RawRequest] =
        [
            "x", "100", "200-ok", "100-continue;x", "100-continue, x", "x, 100-continue", "\"100-continue\"", "100 continue",
            "100-continue=1",
        ]
        .map { .refused(417, RawRequest.put("Content-Length: 5", "Expect: \($0)", body: "hello")) }
        + [
            .stored("hello", RawRequest.put("Content-Length: 5", "Expect: 100-continue", body: "hello")),
            .stored("hello", RawRequest.put("Expect: 100-CONTINUE", "Content-Length: 5", body: "hello")),
            .stored("hello", RawRequest.put("Expect: 100-continue, 100-continue", "Content-Length: 5", body: "hello")),
            .stored("hello", RawRequest.put("Expect: 100-continue", "Expect: 100-continue", "Content-Length: 5", body: "hello")),
            .stored("hello", RawRequest.put("Expect:", "Content-Length: 5", body: "hello")),
            .stored("", RawRequest.put("Expect: 100-continue", "Content-Length: 0", body: "")),
            .stored("hi", RawRequest.put("Expect: 100-continue", "Transfer-Encoding: chunked", body: "2\r\nhi\r\n0\r\n\r\n")),
            .open(200, RawRequest.get("Expect: 100-continue")), .refused(417, RawRequest.get("Expect: x")),
            .refused(400, RawRequest.put("Expect: 100-continue", "Content-Length: 5x", body: "hello")),
            .refused(400, RawRequest.put("Expect : 100-continue", "Content-Length: 5", body: "hello")),
            .spent(413, RawRequest.put("Expect: 100-continue", "Content-Length: 99999999999", body: "")),
            .spent(409, RawRequest.head("PUT /a HTTP/1.1", "Expect: 100-continue", "Content-Length: 5")),
        ]

    /// Who closes, and when.
    static let connections: [RawRequest] = [
        .last(200, RawRequest.get("Connection: close")), .last(200, RawRequest.get("Connection: CLOSE")),
        .last(200, RawRequest.get("connection: x, close")), .last(200, RawRequest.get("Connection: close, keep-alive")),
        .last(200, RawRequest.get("Connection: keep-alive", "Connection: close")),
        .last(200, RawRequest.get("Connection: ,close,")),
        .last(404, RawRequest.head("GET /none HTTP/1.1", "Connection: close")),
        .last(200, RawRequest.head("HEAD /a HTTP/1.1", "Connection: close")),
        .last(405, RawRequest.head("BREW /a HTTP/1.1", "Connection: close")),
        .open(200, RawRequest.get("Connection: keep-alive")), .open(200, RawRequest.get("Connection: x")),
        .open(200, RawRequest.get("Connection:")), .open(200, RawRequest.get("Connection: \"close\"")),
        .open(200, RawRequest.get("Connection: closed")), .open(200, RawRequest.get("Proxy-Connection: close")),
        .open(200, RawRequest.get("Keep-Alive: timeout=0, max=0")), .open(200, RawRequest.get("Connection: Host")),
        .open(
            200,
            RawRequest.get("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: eA==")),
        .open(200, RawRequest.get("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk")),
        .open(200, RawRequest.get("Upgrade: TLS/1.0")), .open(200, RawRequest.get("Connection: Upgrade", "Upgrade:")),
        .open(200, "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
        .open(200, "GET /a HTTP/1.0\r\nConnection: Keep-Alive, x\r\n\r\n"),
        .last(200, "GET /a HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n"),
        .last(200, "GET /a HTTP/1.0\r\nConnection: x\r\n\r\n"),
        .last(200, "GET /a HTTP/1.0\r\nKeep-Alive: 300\r\n\r\n"), .last(200, "HEAD /a HTTP/1.0\r\n\r\n"),
        .stored("hello", RawRequest.put("Connection: Content-Length", "Content-Length: 5", body: "hello")),
        .stored(
            "hi", RawRequest.put("Connection: Transfer-Encoding", "Transfer-Encoding: chunked", body: "2\r\nhi\r\n0\r\n\r\n")),
    ]

    /// Methods and what there is to read of their bodies.
    static let methods: [RawRequest] = {
        let unknown = [
            "get", "Get", "GETX", "G", "POSTS", "put", "DELETE!", "PURGE", "BREW", "PATCH", "TRACE", "TRACK", "DEBUG", "LINK",
            "*", "!",
            String(repeating: "M", count: 200), "constructor", "0", "GET-", "~",
        ]
        let webdav = [
            "PROPFIND", "PROPPATCH", "LOCK", "UNLOCK", "MKCOL", "COPY", "MOVE", "REPORT", "SEARCH", "ACL", "VERSION-CONTROL",
            "BIND",
        ]
        let malformed = [
            "GE T", "GE\tT", "GET,", "GET:", "{GET}", "(GET)", "\"GET\"", "GET/", "G\u{C9}T", "GET;x", "G=T", "[GET]", "G@T",
            "<a>",
        ]
        let xml = "<?xml version=\"1.0\"?><propfind xmlns=\"DAV:\"><allprop/></propfind>"
        return unknown.map { .open(405, RawRequest.head("\($0) /a HTTP/1.1")) }
            + malformed.map { .refused(400, RawRequest.head("\($0) /a HTTP/1.1")) }
            // A26. No body is mistaken for a request, whether it has a length or comes in chunks, and nothing is made of it.
            + webdav.flatMap { method -> [RawRequest] in
                [
                    .open(405, RawRequest.head("\(method) / HTTP/1.1", "Depth: 1")),
                    .unread(
                        405, RawRequest.head("\(method) /new HTTP/1.1", "Depth: 0", "Content-Length: \(xml.utf8.count)") + xml),
                    .unread(
                        405,
                        RawRequest.head(
                            "\(method) /kept HTTP/1.1", "Destination: http://localhost/new", "Overwrite: T",
                            "Lock-Token: <opaquelocktoken:1>", "Transfer-Encoding: chunked") + "5\r\n<x/>\n\r\n0\r\n\r\n"),
                ]
            } + [
                .unread(405, RawRequest.head("TRACE / HTTP/1.1", "Content-Length: 5") + "hello"),
                .unread(405, RawRequest.head("POST /a HTTP/1.1", "Content-Length: 5") + "hello"),
                .unread(415, RawRequest.head("POST / HTTP/1.1", "Content-Length: 5") + "hello"),
                .open(415, RawRequest.head("POST / HTTP/1.1")),
                .open(404, RawRequest.head("POST /none/ HTTP/1.1", "Content-Length: 0")),
                .unread(400, RawRequest.head("PUT / HTTP/1.1", "Content-Length: 5") + "hello"),
                .open(400, RawRequest.head("DELETE / HTTP/1.1")), .open(404, RawRequest.head("DELETE /none HTTP/1.1")),
                .unread(404, RawRequest.head("DELETE /none HTTP/1.1", "Content-Length: 5") + "hello"),
                .open(404, RawRequest.head("POST /delete/none HTTP/1.1")), .open(405, RawRequest.head("PUT /delete/a HTTP/1.1")),
                .open(405, RawRequest.head("DELETE /delete/kept HTTP/1.1")),
                .open(405, RawRequest.head("PUT /-/assets/x HTTP/1.1")),
                .unread(204, RawRequest.head("OPTIONS /a HTTP/1.1", "Content-Length: 5") + "hello"),
                .unread(200, RawRequest.head("HEAD /a HTTP/1.1", "Content-Length: 5") + "hello"),
                .unread(200, RawRequest.head("HEAD /a HTTP/1.1", "Transfer-Encoding: chunked") + "1\r\nx\r\n0\r\n\r\n"),
                .open(404, RawRequest.head("HEAD /none HTTP/1.1")), .open(405, RawRequest.head("head /a HTTP/1.1")),
                .unread(409, RawRequest.head("PUT /none/x HTTP/1.1", "Content-Length: 5") + "hello"),
                .unread(409, RawRequest.head("PUT /a HTTP/1.1", "Content-Length: 5") + "hello"),
                // Nobody wants the body, and the rest of it may never come.
                .spent(405, RawRequest.head("LOCK /a HTTP/1.1", "Content-Length: 5000") + "hello"),
                .spent(405, RawRequest.head("PROPFIND / HTTP/1.1", "Transfer-Encoding: chunked") + "fff\r\nhello"),
                .refused(405, RawRequest.head("PROPFIND / HTTP/1.1", "Transfer-Encoding: chunked") + "x\r\n", parserStatus: 400),
            ]
    }()
}
