import TestSupport
import Testing

@Suite("uploads by form")
struct FormTests {
    /// Sends the form's request in pieces of `size` bytes and gives the answer.
    private func send(_ form: Form, to server: ServerProcess, inPiecesOf size: Int, contentType: String? = nil) throws
        -> HTTPReply
    {
        let client = try server.connect()
        defer { client.close() }
        let fields = [("Accept", "application/json"), ("Content-Type", contentType ?? form.contentType)]
        try client.send(HTTPRequest.bytes("POST", "/", fields, body: form.body), inPiecesOf: size)
        return try client.readReply()
    }

    /// Sends a body written out by the test.
    private func send(raw body: String, boundary: String, to server: ServerProcess, inPiecesOf size: Int = 1 << 20) throws
        -> HTTPReply
    {
        let client = try server.connect()
        defer { client.close() }
        let fields = [
            ("Accept", "application/json"), ("Content-Type", "multipart/form-data; boundary=\(boundary)"),
            ("Connection", "close"),
        ]
        let request = HTTPRequest.bytes("POST", "/", fields, body: bytes(body))
        if size >= request.count { client.sendIgnoringRefusal(request) } else { try client.send(request, inPiecesOf: size) }
        return try client.readReply()
    }

    @Test("a browser is sent back to the page and a JSON client is told name, size and url")
    func answers() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        var form = Form()
        form.field("note", "x")
        form.file(bytes("one.txt"), bytes("first"))
        form.file(bytes("two words.bin"), noise(100_000), field: "other")
        let page = try server.post(form, json: false)
        #expect(page.status == 303)
        #expect(page["location"]?.hasSuffix("/") == true)
        #expect(isSame(folder.read("one.txt"), bytes("first")))
        #expect(isSame(folder.read("two words.bin"), noise(100_000)))

        let stored = try server.post(.one("drei.txt", "abc")).stored
        #expect(stored.map(\.name) == ["drei.txt"])
        #expect(stored.first?.size == 3)
        #expect(try isSame(server.get(#require(stored.first?.url)).body, bytes("abc")))
    }

    @Test("forms go into the folder of the path")
    func subfolder() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("sub")
        let server = try ServerProcess(folder.path)
        let stored = try server.post(.one("in.txt", "x"), to: "/sub/").stored
        #expect(stored.map(\.url) == ["/sub/in.txt"])
        #expect(isSame(folder.read("sub/in.txt"), bytes("x")))
        #expect(try server.post(.one("in.txt", "x"), to: "/missing/").status == 404)
    }

    @Test(
        "A01 a CR before the delimiter does not depend on segmentation",
        arguments: ["", "ab\r", "\r", "\r\n", "\r\n--WB7", "\r\n\r", "--WB7--"])
    func a01(content: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite", "--durability", "none"])
        // A boundary that the content does not hold at the start of a line, as every client must choose.
        let form = Form.one("drip.bin", bytes(content), boundary: contains(bytes(content), "--WB7") ? "WB7x" : "WB7")
        for size in [1, 2, 3, 5, 1 << 20] {
            let reply = try self.send(form, to: server, inPiecesOf: size)
            #expect(reply.status == 201, "pieces of \(size): \(reply.text)")
            #expect(isSame(folder.read("drip.bin"), bytes(content)), "pieces of \(size)")
        }
    }

    @Test("A01 the body may be cut anywhere")
    func a01Cuts() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite", "--durability", "none"])
        let content = bytes("x\r\n--WB\r\r\n")
        let form = Form.one("cut.bin", content, boundary: "WB7")
        let body = form.body
        let client = try server.connect()
        for cut in 0...body.count {
            let head = HTTPRequest.bytes(
                "POST", "/",
                [("Accept", "application/json"), ("Content-Type", form.contentType), ("Content-Length", String(body.count))])
            try client.send(head + body[..<cut])
            try client.send(body[cut...])
            let reply = try client.readReply()
            #expect(reply.status == 201 && folder.read("cut.bin") == content, "cut at \(cut): \(reply.status)")
        }
    }

    @Test("A02 no size near a buffer's edge gains or loses a byte")
    func a02() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite", "--durability", "none"])
        let client = try server.connect()
        for size in 65_200...65_840 {
            let content = [UInt8](repeating: 0xFF, count: size)
            var form = Form()
            form.file(bytes("edge.bin"), content)
            form.field("note", "A1")
            try client.send(
                HTTPRequest.bytes(
                    "POST", "/", [("Accept", "application/json"), ("Content-Type", form.contentType)], body: form.body))
            let reply = try client.readReply()
            guard reply.status == 201, folder.read("edge.bin") == content else {
                Issue.record("size \(size): status \(reply.status), \(folder.read("edge.bin")?.count ?? -1) bytes stored")
                return
            }
        }
        #expect(folder.visibleTexts == ["edge.bin"])
    }

    @Test(
        "A03 what only looks like a delimiter is content",
        arguments: [
            "HEAD\r\n--not the boundary\r\nTAIL\r\n--", "\r\n--WB7aYx0uvdropFor", "\r\r\r\n\r\n-\r\n--\r\n--W",
            "_--WB7aYx0uvdropForm\r\n", "\n--WB7aYx0uvdropForm\n",
            "\r\n--WB7aYx0\r\n--WB7aYx0uvdropForn--\r\n", "----", "\r\n -- WB7aYx0uvdropForm",
        ])
    func a03(content: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite", "--durability", "none"])
        let form = Form.one("look.bin", content)
        for size in [1, 7, 1 << 20] {
            #expect(try self.send(form, to: server, inPiecesOf: size).status == 201)
            #expect(isSame(folder.read("look.bin"), bytes(content)), "pieces of \(size)")
        }
    }

    @Test("A04 the boundary parameter may be quoted, last, first and in any case")
    func a04() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite", "--durability", "none"])
        let boundary = "gc0p4Jq0:M2Yt08jU"
        let form = Form.one("quoted.txt", bytes("q"), boundary: boundary)
        for type in [
            "multipart/form-data; boundary=\"\(boundary)\"", "multipart/form-data;boundary=\"\(boundary)\"",
            "Multipart/Form-Data; charset=utf-8; BOUNDARY=\"\(boundary)\"", "multipart/form-data ; boundary=\"\(boundary)\"; x=y",
        ] {
            folder.remove("quoted.txt")
            let reply = try self.send(form, to: server, inPiecesOf: 1 << 20, contentType: type)
            #expect(reply.status == 201, "\(type): \(reply.status) \(reply.text)")
            #expect(isSame(folder.read("quoted.txt"), bytes("q")), "\(type)")
        }
        for type in [
            "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
            "application/x-www-form-urlencoded", "text/plain",
        ] {
            let reply = try self.send(form, to: server, inPiecesOf: 1 << 20, contentType: type)
            #expect([400, 415].contains(reply.status), "\(type): \(reply.status)")
        }
        #expect(folder.visibleTexts == ["quoted.txt"])
    }

    @Test("A05 a preamble is passed over, and bare LF is no framing")
    func a05() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite"])
        let part = "--B5\r\nContent-Disposition: form-data; name=\"file\"; filename=\"pre.txt\"\r\n\r\nkept\r\n--B5--\r\n"
        for preamble in ["", "\r\n\r\nsome words\r\n", "\r\n", "words -- and --B\r\n", "--B\r\n"] {
            for size in [1, 1 << 20] {
                folder.remove("pre.txt")
                #expect(
                    try self.send(raw: preamble + part, boundary: "B5", to: server, inPiecesOf: size).status == 201, "\(preamble)"
                )
                #expect(isSame(folder.read("pre.txt"), bytes("kept")), "\(preamble)")
            }
        }
        folder.remove("pre.txt")
        let unix = String(decoding: bytes(part).filter { $0 != 13 }, as: UTF8.self)
        #expect(try self.send(raw: unix, boundary: "B5", to: server).status == 400)
        #expect(folder.visibleTexts.isEmpty)
        #expect(try self.send(raw: part + "an epilogue\r\n--B5\r\n", boundary: "B5", to: server).status == 201)
    }

    @Test("A06 a body that ends early stores nothing wherever it ends")
    func a06() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        let whole =
            "--WB7\r\nContent-Disposition: form-data; name=\"file\"; filename=\"early.txt\"\r\nContent-Type: text/plain\r\n\r\nsome content\r\n--WB7--"
        let before = folder.allFiles
        for length in 0..<whole.utf8.count {
            let reply = try self.send(raw: String(decoding: bytes(whole)[..<length], as: UTF8.self), boundary: "WB7", to: server)
            #expect(reply.status == 400, "\(length) bytes: \(reply.status)")
            #expect(!reply.body.isEmpty)
        }
        #expect(folder.allFiles == before)
        #expect(try self.send(raw: whole, boundary: "WB7", to: server).status == 201)
        #expect(isSame(folder.read("early.txt"), bytes("some content")))
    }

    @Test("A07 a form without a chosen file makes none")
    func a07() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        var empty = Form()
        empty.file([], [])
        var onlyField = Form()
        onlyField.field("file", "text")
        for form in [empty, onlyField, Form()] {
            let reply = try server.post(form, json: false)
            #expect(reply.status == 303 || (reply.status == 400 && !reply.body.isEmpty), "\(reply.status)")
            #expect(try server.post(form).status < 500)
        }
        #expect(folder.visibleTexts.isEmpty)
        var both = Form()
        both.file([], [])
        both.file(bytes("real.txt"), bytes("r"))
        #expect(try server.post(both).status == 201)
        #expect(folder.visibleTexts == ["real.txt"])
    }

    /// A form of 20,000 fields, a part with as many header fields, and one with a field of a megabyte.
    private func sendTooMuch(to server: ServerProcess) throws -> [HTTPReply] {
        let part = bytes("--WB7\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n")
        let parts = Array(repeatElement(part, count: 20_000).joined()) + bytes("--WB7--\r\n")
        var headers = bytes("--WB7\r\n")
        for number in 0..<20_000 { headers += bytes("X-\(number): y\r\n") }
        headers += bytes("\r\nx\r\n--WB7--\r\n")
        let long = bytes("--WB7\r\nX: ") + [UInt8](repeating: 65, count: 1 << 20)
        let type = [("Content-Type", "multipart/form-data; boundary=WB7"), ("Accept", "application/json")]
        return try [parts, headers, long].map { try server.ask("POST", "/", type, body: $0) }
    }

    @Test("A08 tens of thousands of parts are refused")
    func a08() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        for reply in try self.sendTooMuch(to: server) { #expect([400, 413].contains(reply.status), "\(reply.status)") }
        #expect(try server.isServing())
        #expect(folder.visibleTexts.isEmpty)
    }

    @Test("A08 tens of thousands of parts cost no memory")
    func a08Memory() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        #expect(try server.isServing())
        let before = server.residentBytes
        _ = try self.sendTooMuch(to: server)
        #expect(server.residentBytes - before < 8 << 20)
    }

    @Test(
        "A09 A10 A11 A16 names are taken as bytes",
        arguments: [
            ("X©onst 중문 Å.ts", "X©onst 중문 Å.ts"), ("Привет мир.txt", "Привет мир.txt"), ("😀.txt", "😀.txt"),
            ("say %22hi%22.txt", "say \"hi\".txt"), ("%41.txt", "%41.txt"), ("50%.txt", "50%.txt"), ("a%2Fb.txt", "a%2Fb.txt"),
            ("report=v2;final.pdf", "report=v2;final.pdf"), ("a;filename=b.txt", "a;filename=b.txt"),
            ("; name=x.txt", "; name=x.txt"),
            ("a,b 'c'.txt", "a,b 'c'.txt"), ("x+y&z.txt", "x+y&z.txt"),
            ("\u{308}uber.txt", "\u{308}uber.txt"), ("<\u{338} &\u{301}.txt", "\u{226E} &\u{301}.txt"),
            ("%22\u{301}.txt", "\"\u{301}.txt"),
        ])
    func names(sent: String, stored: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite", "--durability", "none"])
        let form = Form.one(sent, "content of it")
        for size in [1, 1 << 20] {
            let reply = try self.send(form, to: server, inPiecesOf: size)
            #expect(reply.status == 201, "\(reply.text)")
        }
        #expect(folder.visibleNames == [bytes(stored)], "\(folder.visibleTexts)")
        let listed = try server.listing()
        #expect(listed.map { bytes($0.name) } == [bytes(stored)])
        let page = try server.get("/", [("Accept", browserAccept)])
        #expect(page.status == 200)
        #expect(!contains(page.body, "<\u{338}"))
        let answer = try server.get(#require(listed.first?.url))
        #expect(isSame(answer.body, bytes("content of it")))
        #expect(answer.head.allSatisfy { $0 < 0x7F })
    }

    @Test("A10 no escape and no raw byte makes a line break in a name")
    func a10() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        for name in ["100%0Apples %41.txt", "a%0D%0Ab.txt", "%0D.txt", "tab\tin.txt", "esc\u{1B}.txt", "del\u{7F}.txt"] {
            let reply = try server.post(.one(name, "x"))
            #expect(reply.status == 201 || reply.status == 400, "\(name): \(reply.status)")
        }
        for name in folder.visibleNames { #expect(name.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "\(name)") }
        #expect(try server.isServing())
    }

    @Test("A14 no name leads out of the folder")
    func a14() throws {
        let outer = try TemporaryFolder()
        try outer.makeFolder("drop")
        try outer.makeFolder("drop/sub")
        let server = try ServerProcess(outer.path(of: "drop"))
        for name in [
            "../../a14.txt", "....//a14.txt", "..\\..\\a14.txt", "../a14.txt", "/tmp/a14.txt", "sub/a14.txt", "sub\\a14.txt",
            "C:\\x\\a14.txt", "./a14.txt",
            "..", ".", "/", "a/..", "\\", "../.uvdrop/a14.txt", ".uvdrop",
        ] {
            for target in ["/", "/sub/"] {
                let reply = try server.post(.one(name, "x"), to: target)
                #expect([201, 400, 403, 409].contains(reply.status), "\(name): \(reply.status)")
            }
        }
        #expect(FileBytes.names(in: outer.path) == [bytes("drop")])
        for (path, _) in outer.allFiles where path.contains("a14") {
            let parent = path.split(separator: "/").dropLast().joined(separator: "/")
            #expect(parent == "drop" || parent == "drop/sub", "\(path)")
        }
        #expect(try server.isServing())
    }

    @Test("A15 equal names in one form and in two lose nothing")
    func a15() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        var form = Form()
        form.file(bytes("image.jpg"), bytes("one"))
        form.file(bytes("image.jpg"), bytes("two"))
        #expect(try server.post(form).stored.map(\.name) == ["image.jpg", "image (1).jpg"])
        #expect(try server.post(.one("image.jpg", "three")).stored.map(\.name) == ["image (2).jpg"])
        #expect(isSame(folder.read("image.jpg"), bytes("one")))
        #expect(isSame(folder.read("image (1).jpg"), bytes("two")))
        #expect(isSame(folder.read("image (2).jpg"), bytes("three")))
        for name in ["noext", "a.tar.gz", "end."] {
            for content in ["1", "2"] { #expect(try server.post(.one(name, content)).status == 201) }
        }
        #expect(folder.visibleNames.count == 9, "\(folder.visibleTexts)")
    }

    @Test("A15 the policy error refuses a taken name and overwrite replaces it")
    func policies() throws {
        let folder = try TemporaryFolder()
        try folder.write("image.jpg", "old")
        let strict = try ServerProcess(folder.path, ["--on-duplicate-files", "error"])
        #expect(try strict.post(.one("image.jpg", "new")).status == 409)
        #expect(isSame(folder.read("image.jpg"), bytes("old")))
        var form = Form()
        for name in ["first", "twice", "twice", "last"] { form.file(bytes(name), bytes("new")) }
        #expect(try strict.post(form).status == 409)
        #expect(folder.visibleTexts == ["image.jpg"], "a form is stored whole or not at all")
        try strict.stop()
        let loose = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite"])
        #expect(try loose.post(.one("image.jpg", "new")).status == 201)
        #expect(isSame(folder.read("image.jpg"), bytes("new")))
    }
}
