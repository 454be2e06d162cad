import TestSupport
import Testing

@Suite("HTTP framing")
struct FramingTests {
    /// Each request is refused with one of the statuses, the stream then ended, nothing stored, the server well.
    private func refuses(_ table: [(String, [Int])]) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        #expect(try server.isServing())
        let before = folder.allFiles
        for (request, statuses) in table {
            try everyDelivery(server, bytes(request)) { reply, ended, label in
                #expect(statuses.contains(reply.status), "\(label): \(reply.status) for \(request.debugDescription)")
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
            (start + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX", [400]),
            (start + "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n" + self.smuggled, [400]),
            (start + "Content-Length: 5\r\nContent-Length: 100\r\n\r\nabcde", [400]),
            (start + "Content-Length: 5\r\ncontent-length: 6\r\n\r\nabcde", [400]),
            (start + "Content-Length: 5, 6\r\n\r\nabcde", [400]),
            (start + "Transfer-Encoding: gzip\r\n\r\n" + self.smuggled, [400, 501]),
            (start + "Transfer-Encoding: xchunked\r\n\r\n" + self.smuggled, [400, 501]),
            (start + "Transfer-Encoding: chunked, identity\r\n\r\n" + self.smuggled, [400, 501]),
            (start + "Transfer-Encoding: chunked, chunked\r\n\r\n" + self.smuggled, [400, 501]),
            (start + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + self.smuggled, [400, 501]),
            (start + "Transfer-Encoding: \"chunked\"\r\n\r\n" + self.smuggled, [400, 501]),
            (start + "Transfer-Encoding:\r\n\r\n" + self.smuggled, [400, 501]),
            ("PUT /a21.txt HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + self.smuggled, [400]),
        ])
    }

    @Test("A22 blanks where none may be are refused")
    func a22() throws {
        let start = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        try self.refuses([
            (start + "Transfer-Encoding : chunked\r\n\r\n" + self.smuggled, [400]),
            (start + "Transfer-Encoding\t: chunked\r\n\r\n" + self.smuggled, [400]),
            (start + "Content-Length : 5\r\n\r\nabcde", [400]),
            (start + " Content-Length: 5\r\n\r\nabcde", [400]),
            (start + "X: a\r\n b\r\n\r\n", [400]),
            (start + "X: a\r\n\tContent-Length: 5\r\n\r\nabcde", [400]),
            ("GET / HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n", [400]),
            ("GET / HTTP/1.1\r\n Host: 127.0.0.1\r\n\r\n", [400]),
            (start + "No colon here\r\n\r\n", [400]),
            (start + ": empty\r\n\r\n", [400]),
        ])
    }

    @Test("A23 a length that is no number of bytes is refused")
    func a23() throws {
        let start = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: "
        try self.refuses(
            ["-1", "+5", "0x5", "5 5", "", "5.0", "1e3", "٥", "five", "-9223372036854775808", "5;", "\"5\""].map {
                (start + $0 + "\r\n\r\nabcde", [400])
            }
                + ["99999999999999999999", "9223372036854775807", "9223372036854775808", "18446744073709551615"].map {
                    (start + $0 + "\r\n\r\nabcde", [400, 413])
                })
    }

    @Test("A23 chunk sizes from the wire trap nothing")
    func chunkSizes() throws {
        let start = "PUT /chunks.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        let table: [(String, [Int])] =
            [
                "-1\r\nx\r\n0\r\n\r\n", "+1\r\nx\r\n0\r\n\r\n", "0x1\r\nx\r\n0\r\n\r\n", "g\r\nx\r\n0\r\n\r\n",
                "\r\nx\r\n0\r\n\r\n", " 1\r\nx\r\n0\r\n\r\n",
                "1\nx\n0\n\n", "1\r\nxy\r\n0\r\n\r\n", "1\r\nx0\r\n\r\n",
            ].map { (start + $0, [400]) }
            + [
                "ffffffffffffffff\r\nx", "7fffffffffffffff\r\nx", "10000000000000000\r\nx",
                "fffffffffffffffffffffffffffffff\r\nx",
            ].map { (start + $0, [400, 413]) }
        try self.refuses(table)
    }

    @Test("request lines and hosts that are wrong are refused")
    func heads() throws {
        try self.refuses([
            ("GET / HTTP/1.1\r\n\r\n", [400]), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", [400]),
            ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", [400]),
            ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", [400, 505]), ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
            ("GET /\r\n\r\n", [400, 505]),
            ("G@T / HTTP/1.1\r\nHost: a\r\n\r\n", [400]), ("GET nothing HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
            ("GET / http/1.1\r\nHost: a\r\n\r\n", [400, 505]),
            ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\u{0}b\r\n\r\n", [400]),
            ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\rb\r\n\r\n", [400]),
        ])
    }

    @Test("too long a target, too large a head and too many fields have their own statuses")
    func limits() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        #expect(try server.get("/" + String(repeating: "a", count: 9000)).status == 414)
        #expect(try server.get("/", [("X", String(repeating: "a", count: 70_000))]).status == 431)
        #expect(try server.get("/", (0..<200).map { ("X-\($0)", "y") }).status == 431)
        #expect(try server.get("/", (0..<80).map { ("X-\($0)", "y") }).status == 200)
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

    @Test("A18 a refusal of a large body is always read", arguments: [true, false])
    func a18(expects: Bool) throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        #expect(try Command.run(["truncate", "-s", "60M", scratch.path(of: "big")]).status == 0)
        let server = try ServerProcess(folder.path)
        for round in 0..<10 {
            var arguments = ["curl", "-sS", "-w", "\n%{http_code}", "-F", "file=@\(scratch.path(of: "big"));filename=big.bin"]
            if !expects { arguments += ["-H", "Expect:"] }
            let run = try Command.run(arguments + [server.url + "/"])
            #expect(run.status == 0, "round \(round): \(run.errorText)")
            #expect(run.text.hasSuffix("\n413"), "round \(round): \(run.text)")
            #expect(run.output.count > 20, "no sentence")
        }
        #expect(folder.visibleTexts.isEmpty)
    }

    @Test("A18 a body that turns out too large is refused and leaves nothing", arguments: ["PUT", "chunked", "POST"])
    func tooLarge(way: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--max-size", "100KB"])
        #expect(try server.isServing())
        let before = folder.allFiles
        let content = noise(100 * 1024 + 1)
        for size in [content.count, content.count + 65_536, content.count + 1_000_000] {
            let body = content + [UInt8](repeating: 7, count: size - content.count)
            let reply =
                switch way {
                case "PUT": try server.put("/big.bin", body)
                case "chunked":
                    try server.put("/big.bin", HTTPRequest.chunked(body, size: 5000), [("Transfer-Encoding", "chunked")])
                default: try server.post(.one("big.bin", body))
                }
            #expect(reply.status == 413, "\(size): \(reply.status)")
            #expect(!reply.body.isEmpty)
        }
        #expect(eventually { folder.allFiles == before }, "\(folder.allFiles)")
        let exact = [UInt8](content.dropLast())
        #expect(
            try way == "POST" ? server.post(.one("fits.bin", exact)).status == 201 : server.put("/fits.bin", exact).status == 201)
        #expect(isSame(folder.read("fits.bin"), exact))
    }

    @Test("A19 100 Continue comes before any byte of the body is sent")
    func a19() throws {
        let folder = try TemporaryFolder()
        try folder.write("taken.bin", "old")
        let server = try ServerProcess(folder.path)
        let body = noise(200_000)
        for (index, fields) in [
            [("Expect", "100-continue"), ("Content-Length", "200000")],
            [("expect", "100-Continue"), ("Content-Length", "200000")],
            [("Expect", "100-continue"), ("Transfer-Encoding", "chunked")],
        ].enumerated() {
            let client = try server.connect()
            try client.send(HTTPRequest.bytes("PUT", "/x\(index).bin", fields))
            #expect(try client.readReply(passingInterim: false).status == 100)
            try client.send(index == 2 ? HTTPRequest.chunked(body, size: 4096) : body)
            #expect(try client.readReply(passingInterim: false).status == 201)
            #expect(isSame(folder.read("x\(index).bin"), body))
        }
        let form = Form.one("form.bin", body)
        let client = try server.connect()
        try client.send(
            HTTPRequest.bytes(
                "POST", "/",
                [
                    ("Expect", "100-continue"), ("Content-Type", form.contentType), ("Content-Length", String(form.body.count)),
                    ("Accept", "application/json"),
                ]))
        #expect(try client.readReply(passingInterim: false).status == 100)
        try client.send(form.body)
        #expect(try client.readReply(passingInterim: false).status == 201)
    }

    @Test("A19 what will be refused is refused instead of continued")
    func a19Refusals() throws {
        let folder = try TemporaryFolder()
        try folder.write("taken.bin", "old")
        let server = try ServerProcess(folder.path)
        for (target, length, expectation, status) in [
            ("/huge.bin", "60000000", "100-continue", 413), ("/taken.bin", "10", "100-continue", 409),
            ("/no/such/folder.bin", "10", "100-continue", 404),
            ("/x.bin", "10", "banana", 417),
        ] {
            let client = try server.connect()
            try client.send(HTTPRequest.bytes("PUT", target, [("Expect", expectation), ("Content-Length", length)]))
            let reply = try client.readReply(passingInterim: false)
            #expect(reply.status == status || (status == 404 && reply.status == 409), "\(target): \(reply.status)")
        }
        let old = try server.connect()
        try old.send("PUT /ten.bin HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\nbody")
        #expect(try old.readReply(passingInterim: false).status == 201)
        #expect(isSame(folder.read("taken.bin"), bytes("old")))
        #expect(folder.visibleTexts == ["taken.bin", "ten.bin"])
    }

    @Test("A24 requests in one packet are all answered, in order, wherever it is cut")
    func a24() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "first")
        try folder.write("b", "second")
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        let packet =
            HTTPRequest.bytes("GET", "/a") + HTTPRequest.bytes("GET", "/missing")
            + HTTPRequest.bytes("GET", "/b", [("Connection", "close")])
        for cut in stride(from: 0, through: packet.count, by: 3) {
            let client = try server.connect()
            try client.send(packet[..<cut])
            try client.send(packet[cut...])
            #expect(try isSame(client.readReply().body, bytes("first")))
            #expect(try client.readReply().status == 404)
            #expect(try isSame(client.readReply().body, bytes("second")))
            #expect(try client.endsCleanly())
        }
        let client = try server.connect()
        let form = Form.one("f", "formed")
        try client.send(
            HTTPRequest.bytes("PUT", "/p", body: bytes("put")) + HTTPRequest.bytes("GET", "/p")
                + HTTPRequest.bytes(
                    "PUT", "/c", [("Transfer-Encoding", "chunked")], body: HTTPRequest.chunked(bytes("chunked"), size: 2))
                + HTTPRequest.bytes("GET", "/c")
                + HTTPRequest.bytes(
                    "POST", "/", [("Content-Type", form.contentType), ("Accept", "application/json")], body: form.body)
                + HTTPRequest.bytes("GET", "/f"))
        var answers: [(Int, String)] = []
        for _ in 0..<6 {
            let reply = try client.readReply()
            answers.append((reply.status, reply.text))
        }
        #expect(answers.map(\.0) == [201, 200, 201, 200, 201, 200])
        #expect(answers[1].1 == "put" && answers[3].1 == "chunked" && answers[5].1 == "formed")
    }

    @Test("A24 a refusal ends the connection before what follows it")
    func afterRefusal() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "first")
        let server = try ServerProcess(folder.path)
        let client = try server.connect()
        client.sendIgnoringRefusal(HTTPRequest.bytes("GET", "/a") + bytes("BAD\r\n\r\n") + HTTPRequest.bytes("DELETE", "/a"))
        #expect(try isSame(client.readReply().body, bytes("first")))
        #expect(try client.readReply().status == 400)
        #expect(try client.endsCleanly())
        #expect(folder.exists("a"))
    }

    @Test("A25 half-closed clients get the whole answer")
    func a25() throws {
        let folder = try TemporaryFolder()
        let content = noise(3_000_000)
        try folder.write("big.bin", content)
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        let form = Form.one("form.txt", "half")
        for (request, status) in [
            (HTTPRequest.bytes("GET", "/"), 200), (HTTPRequest.bytes("GET", "/big.bin"), 200),
            (HTTPRequest.bytes("PUT", "/put.bin", body: content), 201),
            (
                HTTPRequest.bytes(
                    "PUT", "/chunk.bin", [("Transfer-Encoding", "chunked")], body: HTTPRequest.chunked(content, size: 60_000)),
                201
            ),
            (
                HTTPRequest.bytes(
                    "POST", "/", [("Content-Type", form.contentType), ("Accept", "application/json")], body: form.body), 201
            ),
        ] {
            let client = try server.connect()
            try client.send(request)
            client.halfClose()
            let reply = try client.readReply()
            #expect(reply.status == status)
            if reply["content-length"] == "3000000" { #expect(isSame(reply.body, content)) }
            #expect(try client.endsCleanly())
        }
        #expect(folder.read("put.bin") == content && folder.read("chunk.bin") == content)
        let two = try server.connect()
        try two.send(HTTPRequest.bytes("GET", "/form.txt") + HTTPRequest.bytes("GET", "/big.bin"))
        two.halfClose()
        #expect(try isSame(two.readReply().body, bytes("half")))
        #expect(try isSame(two.readReply().body, content))
        #expect(try two.endsCleanly())
    }

    @Test("HTTP/1.0 gets its answer and an end, or keep-alive when it asks")
    func http10() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "first")
        let server = try ServerProcess(folder.path)
        let plain = try server.connect()
        try plain.send("GET /a HTTP/1.0\r\n\r\n")
        #expect(try isSame(plain.readReply().body, bytes("first")))
        #expect(try plain.endsCleanly())
        let kept = try server.connect()
        for _ in 0..<3 {
            try kept.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try isSame(kept.readReply().body, bytes("first")))
        }
    }
}
