import TestSupport
import Testing

@Suite("bodies and connections")
struct ConnectionTests {
    @Test("A18 a refusal of a large body is always read", arguments: [true, false])
    func a18(expects: Bool) throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        #expect(try Command.run(["truncate", "-s", "60M", scratch.path(of: "big")]).status == 0)
        let server = try ServerProcess(folder.path)
        for round in 0..<20 {
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
            let request =
                switch way {
                case "PUT": HTTPRequest.bytes("PUT", "/big.bin", body: body)
                case "chunked":
                    HTTPRequest.bytes(
                        "PUT", "/big.bin", [("Transfer-Encoding", "chunked")], body: HTTPRequest.chunked(body, size: 5000))
                default: HTTPRequest.post(.one("big.bin", body))
                }
            try everyDelivery(server, request) { reply, ended, label in
                // A body that had come whole by then leaves the connection in order.
                #expect(reply.status == 413 && (ended || !reply.closes), "\(size) \(label): \(reply.status)")
                #expect(!reply.body.isEmpty, "\(label)")
            }
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
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        let body = noise(200_000)
        let form = Form.one("x.bin", body)
        let chunks = HTTPRequest.chunked(body, size: 4096)
        let length = ("Content-Length", "200000")
        for (method, target, fields, sent) in [
            ("PUT", "/x.bin", [("Expect", "100-continue"), length], body),
            ("PUT", "/x.bin", [("expect", "100-Continue"), length], body),
            ("PUT", "/x.bin", [("Expect", "100-continue"), ("Transfer-Encoding", "chunked")], chunks),
            (
                "POST", "/",
                [
                    ("Expect", "100-continue"), ("Content-Type", form.contentType), ("Content-Length", String(form.body.count)),
                    ("Accept", "application/json"),
                ], form.body
            ),
        ] {
            let head = HTTPRequest.bytes(method, target, fields)
            for ((label, pieces), (_, bodyPieces)) in zip(deliveries(of: head), deliveries(of: sent)) {
                let client = try server.connect()
                for piece in pieces { try client.send(piece) }
                #expect(try client.readReply(passingInterim: false).status == 100, "\(fields) \(label)")
                for piece in bodyPieces { try client.send(piece) }
                #expect(try client.readReply(passingInterim: false).status == 201, "\(fields) \(label)")
                #expect(isSame(folder.read("x.bin"), body), "\(fields) \(label)")
                folder.remove("x.bin")
            }
        }
    }

    @Test("A19 what will be refused is refused instead of continued")
    func a19Refusals() throws {
        let folder = try TemporaryFolder()
        try folder.write("taken.bin", "old")
        let server = try ServerProcess(folder.path)
        for (target, length, expectation, status) in [
            ("/huge.bin", "60000000", "100-continue", 413), ("/taken.bin", "10", "100-continue", 409),
            ("/no/such/folder.bin", "10", "100-continue", 409),
            ("/x.bin", "10", "banana", 417),
        ] {
            let request = HTTPRequest.bytes("PUT", target, [("Expect", expectation), ("Content-Length", length)])
            for (label, pieces) in deliveries(of: request) {
                let client = try server.connect()
                for piece in pieces { try client.send(piece) }
                let reply = try client.readReply(passingInterim: false)
                #expect(reply.status == status, "\(target) \(label): \(reply.status)")
            }
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
        let form = Form.one("f", "formed")
        let chunks = HTTPRequest.chunked(bytes("chunked"), size: 2)
        let bodies =
            HTTPRequest.bytes("PUT", "/p", body: bytes("put")) + HTTPRequest.bytes("GET", "/p")
            + HTTPRequest.bytes("PUT", "/c", [("Transfer-Encoding", "chunked")], body: chunks) + HTTPRequest.bytes("GET", "/c")
            + HTTPRequest.post(form) + HTTPRequest.bytes("HEAD", "/f") + HTTPRequest.bytes("GET", "/f")
        for (label, pieces) in deliveries(of: bodies) {
            let client = try server.connect()
            for piece in pieces { try client.send(piece) }
            var answers: [(Int, String)] = []
            for method in ["PUT", "GET", "PUT", "GET", "POST", "HEAD", "GET"] {
                let reply = try client.readReply(to: method)
                answers.append((reply.status, reply.text))
            }
            #expect(answers.map(\.0) == [201, 200, 201, 200, 201, 200, 200], "\(label)")
            let texts = answers.map(\.1)
            #expect(texts[1] == "put" && texts[3] == "chunked" && texts[6] == "formed", "\(label): \(texts)")
            for name in ["p", "c", "f"] { folder.remove(name) }
        }
    }

    @Test("A24 a refusal ends the connection before what follows it")
    func afterRefusal() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "first")
        let server = try ServerProcess(folder.path)
        for bad in ["BAD\r\n\r\n", "GET /a HTTP/1.1\r\n\r\n", "GET /a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n"]
        {
            for (label, pieces) in deliveries(
                of: HTTPRequest.bytes("GET", "/a") + bytes(bad) + HTTPRequest.bytes("DELETE", "/a"))
            {
                let client = try server.connect()
                for piece in pieces { client.sendIgnoringRefusal(piece) }
                #expect(try isSame(client.readReply().body, bytes("first")), "\(bad) \(label)")
                #expect(try client.readReply().status == 400, "\(bad) \(label)")
                #expect(try client.endsCleanly(), "\(bad) \(label)")
            }
        }
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
            (HTTPRequest.post(form), 201),
        ] {
            for (label, pieces) in deliveries(of: request) {
                let client = try server.connect()
                for piece in pieces { try client.send(piece) }
                client.halfClose()
                let reply = try client.readReply()
                #expect(reply.status == status, "\(label): \(reply.text)")
                if reply["content-length"] == "3000000" { #expect(isSame(reply.body, content), "\(label)") }
                #expect(try client.endsCleanly(), "\(label)")
                for (name, stored) in [("put.bin", content), ("chunk.bin", content), ("form.txt", bytes("half"))]
                where folder.exists(name) {
                    #expect(isSame(folder.read(name), stored), "\(name) \(label)")
                    folder.remove(name)
                }
            }
        }
        try folder.write("form.txt", "half")
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
