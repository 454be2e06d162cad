import TestSupport
import Testing

@Suite("HTTP framing")
struct FramingTests {
    /// Each request is refused with its status, the stream then ended, nothing stored, the server well.
    private func refuses(_ table: [(String, Int)]) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        #expect(try server.isServing())
        let before = folder.allFiles
        for (request, status) in table {
            try everyDelivery(server, bytes(request)) { reply, ended, label in
                #expect(reply.status == status, "\(label): \(reply.status) for \(request.debugDescription)")
                #expect(!reply.body.isEmpty, "\(label): no words for \(request.debugDescription)")
                #expect(ended, "\(label): not closed, or more than one answer, for \(request.debugDescription)")
            }
        }
        #expect(try server.isServing())
        #expect(folder.allFiles == before)
    }

    private let smuggled = "0\r\n\r\nGET /x HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test("A21 conflicting or doubtful lengths are refused")
    func a21() throws {
        let start = "PUT /a21.txt HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        try self.refuses([
            (start + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX", 400),
            (start + "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n" + self.smuggled, 400),
            (start + "Content-Length: 5\r\nContent-Length: 100\r\n\r\nabcde", 400),
            (start + "Content-Length: 5\r\ncontent-length: 6\r\n\r\nabcde", 400),
            (start + "Content-Length: 5, 6\r\n\r\nabcde", 400),
            (start + "Transfer-Encoding: gzip\r\n\r\n" + self.smuggled, 400),
            (start + "Transfer-Encoding: xchunked\r\n\r\n" + self.smuggled, 400),
            (start + "Transfer-Encoding: chunked, identity\r\n\r\n" + self.smuggled, 400),
            (start + "Transfer-Encoding: chunked, chunked\r\n\r\n" + self.smuggled, 400),
            (start + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + self.smuggled, 400),
            (start + "Transfer-Encoding: \"chunked\"\r\n\r\n" + self.smuggled, 400),
            // Known to end in chunked, but coded before in a way that is not (RFC 9112 section 6.1).
            (start + "Transfer-Encoding: gzip, chunked\r\n\r\n" + self.smuggled, 501),
            (start + "Transfer-Encoding: identity, chunked\r\n\r\n" + self.smuggled, 501),
            (start + "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + self.smuggled, 501),
            (start + "Transfer-Encoding:\r\n\r\n" + self.smuggled, 400),
            ("PUT /a21.txt HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + self.smuggled, 400),
        ])
    }

    @Test("A22 blanks where none may be are refused")
    func a22() throws {
        let start = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        try self.refuses([
            (start + "Transfer-Encoding : chunked\r\n\r\n" + self.smuggled, 400),
            (start + "Transfer-Encoding\t: chunked\r\n\r\n" + self.smuggled, 400),
            (start + "Content-Length : 5\r\n\r\nabcde", 400),
            (start + " Content-Length: 5\r\n\r\nabcde", 400),
            (start + "X: a\r\n b\r\n\r\n", 400),
            (start + "X: a\r\n\tContent-Length: 5\r\n\r\nabcde", 400),
            ("GET / HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n Host: 127.0.0.1\r\n\r\n", 400),
            (start + "No colon here\r\n\r\n", 400),
            (start + ": empty\r\n\r\n", 400),
        ])
    }

    @Test("A23 a length that is no number of bytes is refused")
    func a23() throws {
        let start = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: "
        try self.refuses(
            ["-1", "+5", "0x5", "5 5", "", "5.0", "1e3", "٥", "five", "-9223372036854775808", "5;", "\"5\""].map {
                (start + $0 + "\r\n\r\nabcde", 400)
            }
                + ["99999999999999999999", "9223372036854775808", "18446744073709551615"].map {
                    (start + $0 + "\r\n\r\nabcde", 400)
                }
                // The largest number of bytes there is, and too many.
                + [(start + "9223372036854775807\r\n\r\nabcde", 413), (start + "60000000\r\n\r\nabcde", 413)])
    }

    @Test("A23 chunk sizes from the wire trap nothing")
    func chunkSizes() throws {
        let start = "PUT /chunks.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        let table: [(String, Int)] =
            [
                "-1\r\nx\r\n0\r\n\r\n", "+1\r\nx\r\n0\r\n\r\n", "0x1\r\nx\r\n0\r\n\r\n", "g\r\nx\r\n0\r\n\r\n",
                "\r\nx\r\n0\r\n\r\n", " 1\r\nx\r\n0\r\n\r\n",
                "1\nx\n0\n\n", "1\r\nxy\r\n0\r\n\r\n", "1\r\nx0\r\n\r\n",
            ].map { (start + $0, 400) }
            + [
                "ffffffffffffffff\r\nx", "7fffffffffffffff\r\nx", "10000000000000000\r\nx",
                "fffffffffffffffffffffffffffffff\r\nx",
            ].map { (start + $0, 400) }
        try self.refuses(table)
    }

    @Test("request lines and hosts that are wrong are refused")
    func heads() throws {
        try self.refuses([
            ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
            ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505), ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET /\r\n\r\n", 400),
            ("G@T / HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET nothing HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET / http/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\u{0}b\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\rb\r\n\r\n", 400),
        ])
    }

    @Test("too long a target, too large a head and too many fields have their own statuses")
    func limits() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        for (target, fields, status) in [
            ("/" + String(repeating: "a", count: 9000), [], 414), ("/", [("X", String(repeating: "a", count: 70_000))], 431),
            ("/", (0..<200).map { ("X-\($0)", "y") }, 431), ("/", (0..<80).map { ("X-\($0)", "y") }, 200),
        ] as [(String, [(String, String)], Int)] {
            try everyDelivery(server, HTTPRequest.bytes("GET", target, fields)) { reply, _, label in
                #expect(reply.status == status, "\(status) \(label): \(reply.status)")
            }
        }
        #expect(try server.isServing())
    }

    @Test("a host that is not ours is answered 421, IP literals and localhost are ours")
    func hosts() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--allow-host", "drop.example"])
        for host in [
            "127.0.0.1", "127.0.0.1:1", "192.168.1.7:8080", "[::1]", "[::1]:8080", "localhost", "LOCALHOST:80", "drop.example",
            "Drop.Example:8080",
        ] {
            #expect(try server.get("/", [("Host", host)]).status == 200, "\(host)")
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "drop.example.evil.example", "localhost.evil.example"] {
            let reply = try server.get("/", [("Host", host), ("Accept", browserAccept)])
            #expect(reply.status == 421 && reply.text.contains("--allow-host"), "\(host)")
            for asset in reply.attributes("href") where asset.contains("assets") {
                #expect(try server.get(asset, [("Host", host)]).status == 200, "\(host) \(asset)")
            }
        }
        #expect(try server.get("/-/assets/none", [("Host", "evil.example")]).status == 404)
        #expect(try server.get("/-/none", [("Host", "evil.example")]).status == 421)
        #expect(try server.ask("GET", "http://127.0.0.1/", [("Host", "127.0.0.1")]).status == 200)
        #expect(try server.ask("GET", "http://evil.example/", [("Host", "127.0.0.1")]).status == 421)
    }
}
