import TestSupport
import Testing

@Suite("downloads")
struct DownloadTests {
    @Test("a file comes whole, with its fields, by GET and HEAD (A33)")
    func fields() throws {
        let folder = try TemporaryFolder()
        let content = noise(300_000)
        try folder.write("f.bin", content)
        try folder.write("t.txt", "words")
        try folder.write("empty", "")
        folder.setModified("f.bin", 784_111_777)
        let server = try ServerProcess(folder.path)
        let reply = try server.get("/f.bin")
        #expect(reply.status == 200)
        #expect(isSame(reply.body, content))
        #expect(reply["content-length"] == "300000")
        #expect(reply["content-type"] == "application/octet-stream")
        #expect(reply["last-modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(reply["accept-ranges"] == "bytes")
        #expect(reply["etag"]?.hasPrefix("\"") == true)
        #expect(reply["content-disposition"]?.hasPrefix("attachment") == true)
        #expect(reply["x-content-type-options"] == "nosniff")
        #expect(reply["date"] != nil)
        let text = try server.get("/t.txt")
        #expect(text["content-type"] == "text/plain; charset=utf-8")
        #expect(text["content-disposition"]?.hasPrefix("inline") == true)
        for name in ["f.bin", "t.txt", "empty"] {
            let whole = try server.get("/" + name)
            let request = HTTPRequest.bytes("HEAD", "/" + name, [("Connection", "close")])
            try everyDelivery(server, request, to: "HEAD") { head, ended, label in
                #expect(head.status == 200, "\(label)")
                for field in ["content-length", "content-type", "etag", "last-modified", "content-disposition", "accept-ranges"] {
                    #expect(head[field] == whole[field], "\(name) \(field) \(label)")
                }
                #expect(ended, "HEAD /\(name) had a body, \(label)")
            }
        }
    }

    @Test("A33 an answer to HEAD leaves the connection in order")
    func headThenGet() throws {
        let folder = try TemporaryFolder()
        try folder.write("f.bin", noise(70_000))
        let server = try ServerProcess(folder.path)
        for target in ["/f.bin", "/missing", "/", "/?json"] {
            let requests = HTTPRequest.bytes("HEAD", target) + HTTPRequest.bytes("GET", "/f.bin", [("Connection", "close")])
            for (label, pieces) in deliveries(of: requests) {
                let client = try server.connect()
                for piece in pieces { try client.send(piece) }
                #expect(try client.readReply(to: "HEAD").status == (target == "/missing" ? 404 : 200), "\(target) \(label)")
                #expect(try isSame(client.readReply().body, noise(70_000)), "after HEAD \(target) \(label)")
                #expect(try client.endsCleanly(), "\(target) \(label)")
            }
        }
    }

    @Test(
        "A41 what can run scripts is kept from running here, and text says how it is written",
        arguments: [
            ("p.svg", "image/svg+xml", "attachment"), ("p.html", "text/html", "attachment"),
            ("p.xhtml", "application/xhtml+xml", "attachment"),
            ("p.pdf", "application/pdf", "attachment"), ("p.txt", "text/plain; charset=utf-8", "inline"),
            ("p.png", "image/png", "inline"),
        ])
    func a41(name: String, type: String, disposition: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        let content = bytes("<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\">한글</svg>")
        // What the client calls it does not count.
        var form = Form()
        form.file(bytes(name), content, type: "text/html")
        #expect(try server.post(form).status == 201)
        try everyDelivery(server, HTTPRequest.bytes("GET", "/" + name, [("Accept", browserAccept)])) { reply, _, label in
            #expect(reply["content-type"]?.hasPrefix(type) == true, "\(label): \(reply["content-type"] ?? "")")
            #expect(reply["content-disposition"]?.hasPrefix(disposition) == true, "\(label)")
            #expect(reply["x-content-type-options"] == "nosniff", "\(label)")
            #expect(reply["content-security-policy"]?.contains("sandbox") == true, "\(label)")
            #expect(isSame(reply.body, content), "\(label)")
        }
    }

    @Test("A42 download names are ASCII with an exact UTF-8 form beside")
    func a42() throws {
        let folder = try TemporaryFolder()
        let table = [
            ("한글 \"v2\".pdf", "filename*=UTF-8''%ED%95%9C%EA%B8%80%20%22v2%22.pdf"), ("ü.txt", "filename*=UTF-8''%C3%BC.txt"),
            ("100%.bin", "100%"), ("a;b=c.bin", "filename=\"a;b=c.bin\""),
            ("back\\slash.bin", "filename*=UTF-8''back%5Cslash.bin"), ("plain.zip", "plain.zip"),
        ]
        for (name, _) in table { try folder.write(name, "x") }
        let server = try ServerProcess(folder.path)
        for entry in try server.listing() {
            let expected = try #require(table.first { bytes($0.0) == bytes(entry.name) }?.1, "\(entry.name)")
            try everyDelivery(server, HTTPRequest.bytes("GET", entry.url)) { reply, _, label in
                #expect(reply.status == 200, "\(entry.url) \(label)")
                #expect(reply.head.allSatisfy { $0 < 0x7F }, "\(entry.url) \(label)")
                let disposition = try #require(reply["content-disposition"])
                #expect(disposition.hasPrefix("inline") || disposition.hasPrefix("attachment"), "\(label)")
                #expect(disposition.contains(expected), "\(disposition) \(label)")
            }
        }
        #expect(try server.listing().count == table.count)
    }

    @Test("A44 clients that leave during a download harm nothing")
    func a44() throws {
        let folder = try TemporaryFolder()
        #expect(try Command.run(["truncate", "-s", "20M", folder.path(of: "big.bin")]).status == 0)
        let server = try ServerProcess(folder.path)
        #expect(try server.isServing())
        let warm = try server.connect()
        try warm.send(HTTPRequest.bytes("GET", "/big.bin"))
        try warm.skip(1000)
        warm.close()
        #expect(try server.get("/big.bin", [("Range", "bytes=0-9")]).status == 206)
        let baseline = server.descriptors
        for round in 0..<50 {
            let client = try server.connect(receiveBuffer: 4096)
            let fields = round % 3 == 0 ? [("Range", "bytes=0-9999999,12000000-")] : []
            try client.send(HTTPRequest.bytes("GET", "/big.bin", fields), inPiecesOf: round % 5 == 0 ? 1 : 1000)
            try client.skip(1000)
            if round % 2 == 0 { client.reset() } else { client.close() }
        }
        #expect(server.isRunning)
        #expect(eventually { server.descriptors <= baseline + 1 }, "\(server.descriptors) descriptors, \(baseline) before")
        #expect(try server.isServing())
    }
}
