import TestSupport
import Testing

@Suite("conditions on writes") struct WriteConditionTests {
    @Test(
        "what was asked to be new replaces nothing, also when the name is taken while the body arrives",
        arguments: ["rename", "overwrite", "error"])
    func mustBeNew(_ policy: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", policy])
        let client = try server.connect()
        let fields = [("If-None-Match", "*"), ("Content-Length", "6"), ("Expect", "100-continue")]
        try client.send(HTTPRequest.bytes("PUT", "/race.txt", fields))
        #expect(try client.readReplyHead().status == 100)
        try folder.write("race.txt", "first")
        try client.send("second")
        #expect(try client.readReply(to: "PUT").status == 412)
        #expect(folder.read("race.txt") == bytes("first"))
        #expect(folder.visibleTexts == ["race.txt"])
    }

    @Test(
        "a date replaces nothing: only a matching tag does",
        arguments: [("x", 409), ("Thu, 01 Jan 2099 00:00:00 GMT", 409), ("Thu, 01 Jan 1970 00:00:00 GMT", 412)])
    func dates(_ date: String, _ status: Int) throws {
        let folder = try TemporaryFolder()
        try folder.write("a.txt", "old")
        let server = try ServerProcess(folder.path)
        let reply = try server.put("/a.txt", bytes("new"), [("If-Unmodified-Since", date)])
        #expect(reply.status == status, "\(reply.status)")
        #expect(folder.read("a.txt") == bytes("old"))
        let tag = try server.get("/a.txt")["etag"] ?? ""
        #expect(try server.put("/a.txt", bytes("new"), [("If-Match", tag)]).status == 204)
        #expect(folder.read("a.txt") == bytes("new"))
    }

    @Test("of many writers that saw the same version, one replaces it")
    func race() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        for _ in 0..<10 {
            try folder.write("a.txt", "old")
            let tag = try server.get("/a.txt")["etag"] ?? ""
            let clients = try (0..<8).map { _ in try server.connect() }
            for client in clients {
                try client.send(HTTPRequest.bytes("PUT", "/a.txt", [("If-Match", tag), ("Content-Length", "4")]))
                try client.send("new")
            }
            for client in clients { try client.send("!") }
            let statuses = try clients.map { try $0.readReply(to: "PUT").status }
            #expect(statuses.filter { $0 == 204 }.count == 1, "\(statuses)")
            #expect(statuses.allSatisfy { $0 == 204 || $0 == 412 }, "\(statuses)")
        }
        #expect(folder.visibleTexts == ["a.txt"])
    }

    @Test("what could never fit is refused without taking the space that others need")
    func tooMuch() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--max-size", "0"])
        let client = try server.connect()
        try client.send(HTTPRequest.bytes("PUT", "/huge", [("Content-Length", "15000000000000"), ("Expect", "100-continue")]))
        #expect(try client.readReply(to: "PUT", passingInterim: false).status == 507)
        #expect(folder.visibleTexts.isEmpty)
    }

    @Test("a refused condition or range says why, in the form that the client asks for", arguments: ["GET", "PUT"])
    func words(_ method: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("a.txt", "old")
        let server = try ServerProcess(folder.path)
        let fields = [("If-Match", "\"other\""), ("Accept", "application/json")]
        let failed = try server.ask(method, "/a.txt", fields, body: method == "PUT" ? bytes("new") : nil)
        #expect(failed.status == 412)
        #expect(failed["content-type"] == "application/problem+json")
        #expect(contains(failed.body, "\"status\":412"))
        let range = try server.get("/a.txt", [("Range", "bytes=9-"), ("Accept", browserAccept)])
        #expect(range.status == 416)
        #expect(range["content-range"] == "bytes */3")
        #expect(contains(range.body, "The file has 3 bytes"))
    }

    @Test("a form under the policy error is told of a taken name before its file is sent")
    func formTaken() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.txt", "old")
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "error"])
        let form = Form.one("a.txt", "new")
        let client = try server.connect()
        let fields = [("Content-Type", form.contentType), ("Content-Length", "1000000")]
        try client.send(HTTPRequest.bytes("POST", "/", fields))
        try client.send(form.body.prefix(form.body.count - 5))
        #expect(try client.readReply(to: "POST").status == 409)
        #expect(folder.read("a.txt") == bytes("old"))
        #expect(folder.visibleTexts == ["a.txt"])
    }

    @Test("a form may bring only so many files, since each holds descriptors until all have come")
    func manyFiles() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        let boundary = "many"
        let parts = (0..<251).map { index in
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\(index)\"\r\n\r\nx\r\n"
        }
        let type = ("Content-Type", "multipart/form-data; boundary=\(boundary)")
        let most = bytes(parts.dropLast().joined() + "--\(boundary)--\r\n")
        #expect(try server.ask("POST", "/", [type], body: most).status == 303)
        #expect(folder.visibleTexts.count == 250)
        let over = bytes(parts.joined() + "--\(boundary)--\r\n")
        #expect(try server.ask("POST", "/", [type], body: over).status == 413)
        #expect(folder.visibleTexts.count == 250)
    }

    @Test("of two writers that saw the same version one wins and the other is told", arguments: ["DELETE", "PUT"])
    func races(rival: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none"])
        for round in 0..<200 {
            try folder.write("x", "old \(round)")
            let tag = try #require(try server.get("/x")["etag"])
            let (one, other) = (try server.connect(), try server.connect())
            let fields = [("If-Match", tag), ("Connection", "close")]
            try one.send(HTTPRequest.bytes("PUT", "/x", fields, body: bytes("new \(round)")))
            try other.send(HTTPRequest.bytes(rival, "/x", fields, body: rival == "PUT" ? bytes("newer \(round)") : nil))
            let statuses = [try one.readReply().status, try other.readReply(to: rival).status]
            #expect(statuses.count { $0 == 204 } == 1, "\(statuses)")
            #expect(statuses.allSatisfy { [204, 404, 412].contains($0) }, "\(statuses)")
            // What was answered as stored is there.
            if statuses[0] == 204 { #expect(isSame(folder.read("x"), bytes("new \(round)"))) }
        }
    }

    @Test("a version that is not named as unwanted may be replaced where the policy replaces")
    func noneMatch() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite"])
        #expect(try server.put("/x", bytes("1")).status == 201)
        let tag = try #require(try server.get("/x")["etag"])
        #expect(try server.put("/x", bytes("2"), [("If-None-Match", tag)]).status == 412)
        #expect(try server.put("/x", bytes("2"), [("If-None-Match", "\"other\"")]).status == 204)
        #expect(try server.put("/x", bytes("3"), [("If-None-Match", "*")]).status == 412)
        #expect(isSame(folder.read("x"), bytes("2")))
    }

    @Test("a file that has changed while the new one arrived is not replaced by a date that was right before")
    func unmodifiedSince() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", "old")
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite"])
        let date = try #require(try server.get("/x")["last-modified"])
        let slow = try server.connect()
        let fields = [("If-Unmodified-Since", date), ("Content-Length", "6"), ("Expect", "100-continue")]
        try slow.send(HTTPRequest.bytes("PUT", "/x", fields))
        #expect(try slow.readReply(passingInterim: false).status == 100)
        #expect(try server.put("/x", bytes("newer")).status == 204)
        try slow.send("stale!")
        #expect(try slow.readReply().status == 412)
        #expect(isSame(folder.read("x"), bytes("newer")))
    }

    @Test("a folder is deleted under no condition")
    func folders() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("sub")
        let server = try ServerProcess(folder.path)
        for field in [
            ("If-None-Match", "*"), ("If-Match", "*"), ("If-Match", "\"x\""),
            ("If-Unmodified-Since", "Mon, 01 Jan 1990 00:00:00 GMT"),
        ] {
            #expect(try server.ask("DELETE", "/sub", [field]).status == 412, "\(field)")
        }
        #expect(try server.ask("DELETE", "/sub").status == 204)
    }
}
