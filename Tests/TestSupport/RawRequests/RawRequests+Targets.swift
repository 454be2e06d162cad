extension RawRequests {
    /// The four forms of a target.
    static let targets: [RawRequest] = {
        let right: [(String, Int)] = [
            ("http://localhost/a", 200), ("HTTP://LOCALHOST/a", 200), ("https://localhost/a", 200), ("http://127.0.0.1:1/a", 200),
            ("http://[::1]/a", 200), ("http://localhost:/a", 200), ("http://localhost/a?x=y", 200),
            ("http://localhost/none", 404),
            ("http://localhost?json", 200), ("http://evil.example/a", 421), ("http://localhost.evil.example/a", 421),
            ("http://127.0.0.1.evil.example/a", 421), ("http://evil.example:80/../a", 421), ("/a?", 200), ("/a??", 200),
            ("/a?%", 200),
            ("/a?\u{FF}", 200), ("/a?/../b", 200), ("/a?http://evil.example/", 200), ("/?limit=0", 400), ("/?limit=-1", 400),
            ("/?limit=x", 400), ("/?limit=99999999999999999999", 200), ("/?limit=", 400), ("/?limit=1&limit=%", 200),
            ("/sub/?json&after=%00", 200), ("/http://evil.example/", 400),
        ]
        let wrong = [
            "a", "?x", "*", "**", "*a", "\\a", "http:/a", "http:a", "http//localhost/a", "http://", "http:///a", "http://?a",
            "://a",
            "ftp://localhost/a", "file:///etc/passwd", "javascript:alert(1)", "localhost", "localhost:80", "127.0.0.1:80",
            "[::1]:80",
            "http://user@localhost/a", "http://user:word@localhost/a", "http://localhost@evil.example/a",
            "http://localhost:80:80/a",
            "http://localhost:65536/a", "http://localhost:-1/a", "http://localhost:8o/a", "http://[::1/a", "http://::1/a",
            "http://localhost\\@evil.example/a", "http://local\u{E9}/a", "http://local%zz/a", "http://#/a", "/a#", "/a#x", "/#/a",
            "#",
            "/a?b#c", "http://localhost/a#b", "/%23#",
        ]
        return right.map { .open($1, RawRequest.head("GET \($0) HTTP/1.1")) }
            + wrong.map { .refused(400, RawRequest.head("GET \($0) HTTP/1.1")) }
            + [
                .open(204, RawRequest.head("OPTIONS * HTTP/1.1")), .open(204, RawRequest.head("OPTIONS / HTTP/1.1")),
                .open(421, RawRequest.head("OPTIONS http://evil.example/ HTTP/1.1")),
                .refused(400, RawRequest.head("PUT * HTTP/1.1")),
                .refused(400, RawRequest.head("DELETE * HTTP/1.1")), .refused(400, RawRequest.head("M-SEARCH * HTTP/1.1")),
                .refused(501, RawRequest.head("CONNECT localhost:80 HTTP/1.1")),
                .refused(501, RawRequest.head("CONNECT evil.example:443 HTTP/1.1")),
                .refused(501, RawRequest.head("CONNECT /a HTTP/1.1")),
                .refused(501, RawRequest.head("CONNECT * HTTP/1.1")),
            ]
    }()

    /// Paths, each asked for by GET. None is normalised: what is not a name of its own is refused, and nothing is found under two.
    static let paths: [RawRequest] = {
        let rows: [(Int, [String])] = [
            (200, ["/a", "/%61", "/sub/", "/%73ub/"]),
            (308, ["/sub", "/%73%75%62"]),
            // Escapes that are none.
            (400, ["/%", "/%4", "/%zz", "/a%", "/%u0061", "/%%61", "/%-1", "/%0x", "/%6", "/a%2", "/%\u{E9}1", "/sub/%"]),
            // Elements that are none.
            (
                400,
                [
                    "//", "//a", "/a//", "/sub//", "///a", "/..", "/.", "/../a", "/./a", "/sub/..", "/sub/.", "/sub/../a",
                    "/a/..", "/a/.",
                ]
            ),
            (400, ["/%2e%2e/a", "/%2E%2E", "/.%2e/a", "/%2e./a", "/%2e", "/%2f", "/a%2f", "/%2fa", "/sub%2fa", "/sub%2F..%2Fa"]),
            (400, ["/%00", "/a%00", "/%00a", "/a%00.txt", "/sub/%00", "/..%00/a", "/%2e%00%2e/a"]),
            (400, ["/" + String(repeating: "a", count: 256), "/" + String(repeating: "%61", count: 256) + "/a"]),
            // Names that nothing has: escapes of escapes, overlong and broken UTF-8, other systems' separators and streams.
            (
                404,
                [
                    "/%2561", "/%252e%252e/a", "/%c0%ae%c0%ae/a", "/%c0%af", "/%e0%80%af", "/%f0%80%80%af", "/%e0%80%ae/a",
                    "/%fe%ff",
                ]
            ),
            (
                404,
                ["/\u{C0}\u{AE}\u{C0}\u{AE}/a", "/\u{FF}", "/%ed%a0%80", "/%ef%bc%8e%ef%bc%8e/a", "/%e2%80%ae", "/a%ef%bb%bf"]
            ),
            (
                404,
                [
                    "/\\a", "/sub\\..\\a", "/%5c", "/..\\a", "/..%5ca", "/c:", "/a::$DATA", "/a%20", "/%20a", "/a.", "/A", "/a;x",
                    "/..;/a",
                ]
            ),
            (
                404,
                ["/a/", "/a/b", "/...", "/..a", "/.uvdrop", "/.uvdrop/", "/%2euvdrop/names.lock", "/~", "/~root", "/-/", "/-/x"]
            ),
            (404, ["/a+", "/a&b", "/|", "/\"", "/<script>", "/{a}", "/^`", "/%0d%0aX:%20y", "/%0a", "/%7f", "/%1b[m"]),
            (404, ["/" + String(repeating: "a", count: 255), "/sub/sub/sub/sub/sub/sub/sub/a"]),
        ]
        return rows.flatMap { status, paths in paths.map { .open(status, RawRequest.head("GET \($0) HTTP/1.1")) } }
    }()

    /// The Host field.
    static let hosts: [RawRequest] = {
        let ours = [
            "localhost", "LOCALHOST", "localhost.", "localhost:", "localhost:0", "localhost:80", "localhost:65535", "127.0.0.1",
            "127.0.0.1:8080", "192.168.1.7", "[::1]", "[::1]:8080", "[FE80::1]", "[::ffff:127.0.0.1]", "\t localhost \t",
        ]
        let foreign = [
            "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost,localhost", "*", "%6cocalhost",
            "127.1",
            "0x7f.0.0.1", "2130706433", "0177.0.0.1", "a_b", "xn--e1afmkfd", "localhost..", ".", "local-host", "localhost;x",
            "1.2.3.4.5",
        ]
        let wrong = [
            "", " ", "\t", "local host", "localhost, localhost", "localhost localhost", "http://localhost", "localhost/",
            "/localhost",
            "localhost/a", "user@localhost", "user:word@localhost", "@localhost", "localhost@", "localhost:65536",
            "localhost:123456",
            "localhost:-1", "localhost:+80", "localhost:8o", "localhost:80:80", "localhost:\u{B2}", ":80", ":", "[::1", "::1",
            "[::1]x",
            "[::1]]", "[]", "[:", "[127.0.0.1]", "[fe80::1%25eth0]", "[v1.x]", "[::g]", "[::1]:x", "lo%zzcal", "local%2",
            "local\u{E9}",
            "\"localhost\"", "<localhost>", "localhost?x", "localhost#x", "local\\host", "{localhost}", "local|host",
            "local^host",
        ]
        return ours.map { .open(200, "GET /a HTTP/1.1\r\nHost: \($0)\r\n\r\n") }
            + foreign.map { .open(421, "GET /a HTTP/1.1\r\nHost: \($0)\r\n\r\n") }
            + wrong.map { .refused(400, "GET /a HTTP/1.1\r\nHost: \($0)\r\n\r\n") }
            + [
                .refused(400, "GET /a HTTP/1.1\r\n\r\n"), .refused(400, "GET http://localhost/a HTTP/1.1\r\n\r\n"),
                .refused(400, "GET /a HTTP/1.1\r\nX-Host: localhost\r\n\r\n"), .refused(400, RawRequest.get("Host: localhost")),
                .refused(400, RawRequest.get("HOST: evil.example")), .refused(400, RawRequest.get("Host:")),
                .refused(400, "GET /a HTTP/1.1\r\nHost : localhost\r\n\r\n"),
                .refused(400, "GET /a HTTP/1.1\r\n Host: localhost\r\n\r\n"),
                .refused(400, "GET /a HTTP/1.1\r\nHost: local\r\n host\r\n\r\n"),
                .refused(400, "GET /a HTTP/1.0\r\nHost: localhost\r\nHost: localhost\r\n\r\n"),
                .refused(400, "GET http://localhost/a HTTP/1.1\r\nHost: a b\r\n\r\n"),
                .open(200, "GET http://localhost/a HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
                .open(200, RawRequest.get("X-Forwarded-Host: evil.example")),
                .open(200, RawRequest.get("Forwarded: host=evil.example")),
                .last(421, "GET /a HTTP/1.0\r\nHost: evil.example\r\n\r\n"),
            ]
    }()
}
