import Foundation
import TestSupport
import Testing

@Suite("uploads by form")
struct FormTests {
    /// Sends the form's request in pieces of `size` bytes and gives the answer.
    private func send(_ form: Form, to server: ServerProcess, inPiecesOf size: Int) throws -> HTTPReply {
        let client = try server.connect()
        defer { client.close() }
        try client.send(HTTPRequest.post(form), inPiecesOf: size)
        return try client.readReply()
    }

    /// A request with a body written out by the test.
    private func request(_ body: String, boundary: String) -> [UInt8] {
        let fields = [
            ("Accept", "application/json"), ("Content-Type", "multipart/form-data; boundary=\(boundary)"),
            ("Connection", "close"),
        ]
        return HTTPRequest.bytes("POST", "/", fields, body: bytes(body))
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

        let created = try server.post(.one("drei.txt", "abc"))
        // Without it, what was created would be what the request was sent to (RFC 9110 section 15.3.2).
        #expect(created.status == 201 && created["location"] == "/drei.txt")
        let stored = try created.stored
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
        let fillings = [[0xFF], [13], bytes("\r\n--"), bytes("--WB7aYx0uvdropForm")].map { filling in
            [UInt8](repeatElement(filling, count: 66_000 / filling.count + 1).joined())
        }
        for size in 65_200...65_840 {
            for (index, filling) in fillings.enumerated() where index == 0 || size % 16 == index {
                let content = [UInt8](filling.prefix(size))
                var form = Form()
                form.file(bytes("edge.bin"), content)
                form.field("note", "A1")
                let request = HTTPRequest.post(form)
                for pieces in size % 64 < 4 ? [request.count, 65_536, 4096, 977] : [request.count] {
                    try client.send(request, inPiecesOf: pieces)
                    let reply = try client.readReply()
                    guard reply.status == 201, folder.read("edge.bin") == content else {
                        let stored = folder.read("edge.bin")?.count ?? -1
                        Issue.record("size \(size) of \(index) by \(pieces): status \(reply.status), \(stored) bytes stored")
                        return
                    }
                }
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
            let fields = [("Accept", "application/json"), ("Content-Type", type)]
            try everyDelivery(server, HTTPRequest.bytes("POST", "/", fields, body: form.body)) { reply, _, label in
                #expect(reply.status == 201, "\(type) \(label): \(reply.status) \(reply.text)")
                #expect(isSame(folder.read("quoted.txt"), bytes("q")), "\(type) \(label)")
                folder.remove("quoted.txt")
            }
        }
        for (type, status) in [
            ("multipart/form-data", 400), ("multipart/form-data; boundary=", 400), ("multipart/form-data; boundary=\"\"", 400),
            ("application/x-www-form-urlencoded", 415), ("text/plain", 415), ("multipart/mixed; boundary=\(boundary)", 415),
        ] {
            try everyDelivery(server, "POST", "/", [("Content-Type", type)], body: form.body, gives: status)
        }
        #expect(folder.visibleTexts.isEmpty)
    }

    @Test("A05 a preamble is passed over, and bare LF is no framing")
    func a05() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite"])
        let part = "--B5\r\nContent-Disposition: form-data; name=\"file\"; filename=\"pre.txt\"\r\n\r\nkept\r\n--B5--\r\n"
        for preamble in ["", "\r\n\r\nsome words\r\n", "\r\n", "words -- and --B\r\n", "--B\r\n"] {
            try everyDelivery(server, self.request(preamble + part, boundary: "B5")) { reply, _, label in
                #expect(reply.status == 201, "\(preamble) \(label)")
                #expect(isSame(folder.read("pre.txt"), bytes("kept")), "\(preamble) \(label)")
                folder.remove("pre.txt")
            }
        }
        let unix = String(decoding: bytes(part).filter { $0 != 13 }, as: UTF8.self)
        let lines = part.replacingOccurrences(of: "--B5\r\n", with: "--B5\n")
        let last = part.replacingOccurrences(of: "kept\r\n", with: "kept\n")
        for body in [unix, lines, last, part.replacingOccurrences(of: "\r\n\r\n", with: "\n\n")] {
            try everyDelivery(server, self.request(body, boundary: "B5")) { reply, _, label in
                #expect(reply.status == 400, "\(body.debugDescription) \(label): \(reply.status)")
            }
            #expect(folder.visibleTexts.isEmpty)
        }
        for epilogue in ["an epilogue\r\n--B5\r\n", "\r\n", part] {
            try everyDelivery(server, self.request(part + epilogue, boundary: "B5")) { reply, _, label in
                #expect(reply.status == 201, "\(epilogue) \(label)")
                #expect(isSame(folder.read("pre.txt"), bytes("kept")), "\(epilogue) \(label)")
            }
        }
        #expect(folder.visibleTexts == ["pre.txt"])
    }

    @Test("A06 a body that ends early stores nothing wherever it ends")
    func a06() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        let whole =
            "--WB7\r\nContent-Disposition: form-data; name=\"file\"; filename=\"early.txt\"\r\nContent-Type: text/plain\r\n\r\nsome content\r\n--WB7--"
        let before = folder.allFiles
        for length in 0..<whole.utf8.count {
            let request = self.request(String(decoding: bytes(whole)[..<length], as: UTF8.self), boundary: "WB7")
            for size in [1, 7, request.count] {
                let client = try server.connect()
                for begin in stride(from: 0, to: request.count, by: size) {
                    client.sendIgnoringRefusal(request[begin..<min(begin + size, request.count)])
                }
                let reply = try client.readReply()
                #expect(reply.status == 400 && !reply.body.isEmpty, "\(length) bytes by \(size): \(reply.status)")
            }
        }
        #expect(folder.allFiles == before)
        try everyDelivery(server, self.request(whole, boundary: "WB7")) { reply, _, label in
            #expect(reply.status == 201, "\(label)")
            #expect(isSame(folder.read("early.txt"), bytes("some content")), "\(label)")
            folder.remove("early.txt")
        }
    }

    @Test("A07 a form without a chosen file makes none")
    func a07() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        var empty = Form()
        empty.file([], [])
        var onlyField = Form()
        onlyField.field("file", "text")
        var two = Form()
        for field in ["file", "other"] { two.file([], [], field: field) }
        for form in [empty, onlyField, Form(), two] {
            for json in [false, true] {
                try everyDelivery(server, HTTPRequest.post(form, json: json)) { reply, _, label in
                    #expect(reply.status == 400 && reply.text.contains("No file was chosen"), "\(label): \(reply.status)")
                }
            }
        }
        #expect(folder.visibleTexts.isEmpty)
        var both = Form()
        both.file([], [])
        both.file(bytes("real.txt"), bytes("r"))
        #expect(try server.post(both).status == 201)
        #expect(folder.visibleTexts == ["real.txt"])
    }

    /// A form of 20,000 fields, a part with as many header fields, and one with a field of a megabyte.
    private var tooMuch: [(request: [UInt8], status: Int)] {
        let part = bytes("--WB7\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n")
        let parts = Array(repeatElement(part, count: 20_000).joined()) + bytes("--WB7--\r\n")
        var headers = bytes("--WB7\r\n")
        for number in 0..<20_000 { headers += bytes("X-\(number): y\r\n") }
        headers += bytes("\r\nx\r\n--WB7--\r\n")
        let long = bytes("--WB7\r\nX: ") + [UInt8](repeating: 65, count: 1 << 20)
        let type = [("Content-Type", "multipart/form-data; boundary=WB7"), ("Accept", "application/json")]
        return [(parts, 413), (headers, 400), (long, 400)].map { (HTTPRequest.bytes("POST", "/", type, body: $0), $1) }
    }

    @Test("A08 tens of thousands of parts are refused")
    func a08() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        for (request, status) in self.tooMuch {
            try everyDelivery(server, request) { reply, _, label in
                #expect(reply.status == status, "\(label): \(reply.status) \(reply.text)")
            }
        }
        #expect(try server.isServing())
        #expect(folder.visibleTexts.isEmpty)
    }

    @Test("A08 tens of thousands of parts cost no memory")
    func a08Memory() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        #expect(try server.isServing())
        let before = server.residentBytes
        for (request, _) in self.tooMuch { try everyDelivery(server, request) { _, _, _ in } }
        #expect(server.peakResidentBytes - before < 8 << 20)
    }

    @Test("text fields may hold a mebibyte together, and a form with more is refused")
    func fields() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        let most = 1 << 20
        for (sizes, status) in [
            ([most], 201), ([most / 2, 0, most / 2], 201), ([most + 1], 413), ([most / 2, 1, most / 2], 413), ([5 * most], 413),
        ] {
            var form = Form()
            form.file(bytes("first.txt"), bytes("first"))
            for size in sizes { form.field("note", String(repeating: "x", count: size)) }
            form.file(bytes("last.txt"), bytes("last"))
            try everyDelivery(server, HTTPRequest.post(form)) { reply, _, label in
                #expect(reply.status == status, "\(sizes) \(label): \(reply.status) \(reply.text)")
                #expect(folder.visibleTexts == (status == 201 ? ["first.txt", "last.txt"] : []), "\(sizes) \(label)")
                for name in folder.visibleTexts { folder.remove(name) }
            }
        }
    }
}
