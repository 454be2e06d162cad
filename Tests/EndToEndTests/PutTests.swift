import TestSupport
import Testing

@Suite("uploads by PUT")
struct PutTests {
    @Test("a new name is made, with its place told")
    func creates() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("sub")
        let server = try ServerProcess(folder.path)
        let content = noise(1_000_000)
        for (target, name, body) in [
            ("/a.bin", "a.bin", content), ("/empty", "empty", []), ("/sub/b%20c.txt", "sub/b c.txt", bytes("x")),
        ] {
            let reply = try server.put(target, body)
            #expect(reply.status == 201, "\(target): \(reply.text)")
            #expect(reply["location"] == target)
            #expect(isSame(folder.read(name), body), "\(target)")
            #expect(try isSame(server.get(target).body, body))
        }
    }

    @Test("a chunked body is stored whatever its chunks", arguments: [1, 7, 4096, 65_536, 1_000_000])
    func chunked(size: Int) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        let content = noise(size == 1 ? 3000 : 300_000)
        let reply = try server.put("/c.bin", HTTPRequest.chunked(content, size: size), [("Transfer-Encoding", "chunked")])
        #expect(reply.status == 201)
        #expect(isSame(folder.read("c.bin"), content))
    }

    @Test("chunks may be cut anywhere and carry extensions and trailers")
    func chunkCuts() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite", "--durability", "none"])
        let body = bytes("3;name=\"v;x\"\r\nab\r\r\n0A\r\n0123456789\r\n000;last\r\nX-Trailer: t\r\n\r\n")
        let client = try server.connect()
        for cut in 0...body.count {
            try client.send(HTTPRequest.bytes("PUT", "/t.bin", [("Transfer-Encoding", "Chunked")]) + body[..<cut])
            try client.send(body[cut...])
            let reply = try client.readReply()
            #expect(
                reply.status == (cut == 0 ? 201 : 204) && folder.read("t.bin") == bytes("ab\r0123456789"),
                "cut at \(cut): \(reply.status)")
        }
    }

    @Test("an existing name is replaced only where that was asked for")
    func replacing() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "old")
        let server = try ServerProcess(folder.path)
        #expect(try server.put("/a", bytes("new")).status == 409)
        #expect(try server.put("/a", bytes("new"), [("If-None-Match", "*")]).status == 412)
        #expect(try server.put("/a", bytes("new"), [("If-Match", "\"nope\"")]).status == 412)
        #expect(try server.put("/missing", bytes("new"), [("If-Match", "*")]).status == 412)
        #expect(folder.read("a") == bytes("old") && !folder.exists("missing"))
        let tag = try #require(try server.get("/a")["etag"])
        #expect(try server.put("/a", bytes("newer"), [("If-Match", tag)]).status == 204)
        #expect(isSame(folder.read("a"), bytes("newer")))
        #expect(try server.put("/a", bytes("lost"), [("If-Match", tag)]).status == 412)
        #expect(isSame(folder.read("a"), bytes("newer")))
        #expect(try server.put("/b", bytes("b"), [("If-None-Match", "*")]).status == 201)
        try server.stop()
        let loose = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite"])
        #expect(try loose.put("/a", bytes("last")).status == 204)
        #expect(try loose.put("/c", bytes("c")).status == 201)
        #expect(isSame(folder.read("a"), bytes("last")))
        #expect(folder.visibleTexts == ["a", "b", "c"])
    }

    @Test("places where nothing can be put are refused")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("sub")
        try folder.write("file", "x")
        let server = try ServerProcess(folder.path)
        #expect(try server.isServing())
        let before = folder.allFiles
        for (target, status) in [
            // The address names no file, or one that cannot be.
            ("/", 400), ("/sub/", 400), ("/no/", 400), ("/.hidden", 400), ("/.uvdrop", 400), ("/a%0Ab", 400), ("/a%5Cb", 400),
            ("/%FF", 400),
            // The name is taken by a folder, or its folder is none.
            ("/sub", 409), ("/no/x", 409), ("/file/x", 409), ("/.uvdrop/x", 409),
            // The server's own addresses.
            ("/-/x", 404), ("/-", 404), ("/-/assets/x", 405), ("/delete/x", 405), ("/delete", 405),
        ] {
            try everyDelivery(server, "PUT", target, body: bytes("x"), gives: status)
        }
        #expect(folder.allFiles == before)
    }

    @Test("--hidden shows, serves and takes names with a leading dot, but never its own folder")
    func hidden() throws {
        let folder = try TemporaryFolder()
        try folder.write(".old", "x")
        let server = try ServerProcess(folder.path, ["--hidden"])
        #expect(try server.put("/.new", bytes("y")).status == 201)
        #expect(try isSame(server.get("/.old").body, bytes("x")))
        #expect(Set(try server.listing().map(\.name)) == [".old", ".new"])
        for target in ["/.uvdrop", "/.uvdrop/", "/.uvdrop/uploads/"] {
            #expect(try server.get(target).status == 404, "\(target)")
        }
    }

    @Test("A17 a cancelled upload leaves nothing", arguments: ["close", "reset"])
    func a17(way: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        #expect(try server.put("/warm", bytes("x")).status == 201)
        #expect(try server.post(.one("warm2", "x")).status == 201)
        let baseline = server.descriptors
        let before = folder.allFiles
        let piece = noise(3_000_000)
        let form = Form.one("part.bin", piece)
        for request in [
            HTTPRequest.bytes("PUT", "/part.bin", [("Content-Length", "10000000")]) + piece,
            HTTPRequest.bytes("PUT", "/part.bin", [("Content-Length", "10000000")]),
            HTTPRequest.bytes("PUT", "/part.bin", [("Transfer-Encoding", "chunked")])
                + HTTPRequest.chunked(piece, size: 50_000).dropLast(5),
            HTTPRequest.bytes("PUT", "/part.bin", [("Transfer-Encoding", "chunked")])
                + HTTPRequest.chunked(piece, size: 50_000).dropLast(2),
            HTTPRequest.bytes("POST", "/", [("Content-Type", form.contentType), ("Content-Length", "10000000")])
                + form.body.dropLast(20),
            HTTPRequest.bytes("POST", "/", [("Content-Type", form.contentType), ("Content-Length", String(form.body.count))])
                + form.body.dropLast(4),
        ] {
            let client = try server.connect()
            try client.send(request)
            #expect(!folder.exists("part.bin"))
            if way == "reset" { client.reset() } else { client.close() }
        }
        let halfClosed = try server.connect()
        try halfClosed.send(HTTPRequest.bytes("PUT", "/part.bin", [("Content-Length", "100")]) + [1, 2, 3])
        halfClosed.halfClose()
        _ = try halfClosed.readToEnd()
        halfClosed.close()
        #expect(
            eventually { server.descriptors <= baseline && folder.allFiles == before },
            "\(server.descriptors) for \(baseline), \(folder.allFiles)")
        #expect(!folder.exists("part.bin"))
        #expect(try server.put("/part.bin", piece).status == 201)
        #expect(isSame(folder.read("part.bin"), piece))
    }
}
