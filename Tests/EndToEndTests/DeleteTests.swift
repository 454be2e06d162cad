import TestSupport
import Testing

@Suite("deleting")
struct DeleteTests {
    @Test("A43 DELETE and POST delete, and what is missing is told")
    func deletes() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b", "c", "kept"] { try folder.write(name, name) }
        try folder.makeFolder("sub")
        try folder.write("sub/in", "x")
        let server = try ServerProcess(folder.path)
        #expect(try server.ask("DELETE", "/a").status == 204)
        let form = try server.ask(
            "POST", "/delete/b", [("Accept", browserAccept), ("Content-Type", "application/x-www-form-urlencoded")], body: [])
        #expect(form.status == 303)
        #expect(form["location"] == "/")
        let nested = try server.ask(
            "POST", "/delete/sub/in", [("Accept", browserAccept), ("Content-Type", "application/x-www-form-urlencoded")], body: []
        )
        #expect(nested.status == 303 && nested["location"] == "/sub/")
        #expect(try server.ask("POST", "/delete/c", [("Accept", "application/json")], body: []).status == 204)
        #expect(folder.visibleTexts == ["kept", "sub"])
        for (method, target, status) in [
            ("DELETE", "/a", 404), ("POST", "/delete/a", 404), ("GET", "/delete/a", 404), ("POST", "/delete/", 400),
            ("GET", "/delete/", 400), ("POST", "/delete", 400), ("DELETE", "/", 400), ("DELETE", "/delete/kept", 405),
            ("PUT", "/delete/kept", 405), ("DELETE", "/-/assets/x", 405),
        ] {
            let fields = [("User-Agent", "curl/8.5.0")]
            try everyDelivery(server, method, target, fields, body: method == "POST" ? [] : nil, gives: status)
        }
        #expect(folder.visibleTexts == ["kept", "sub"])
    }

    @Test("A43 a folder that holds something is not deleted")
    func folders() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("full")
        try folder.write("full/x", "x")
        let server = try ServerProcess(folder.path)
        #expect(try server.ask("DELETE", "/full/").status == 409)
        #expect(folder.exists("full/x"))
    }

    @Test("A43 GET deletes only when it is plainly meant")
    func byGet() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        let own = "http://127.0.0.1:\(server.port)"
        let host = ("Host", "127.0.0.1:\(server.port)")
        let agent = ("User-Agent", phone)
        let kept: [[(String, String)]] = [
            [host, agent, ("Sec-Fetch-Site", "cross-site")], [host, agent, ("Sec-Fetch-Site", "same-site")],
            [host, agent, ("Sec-Fetch-Site", "none")],
            [host, agent], [host, agent, ("Referer", "http://evil.example/")],
            [host, agent, ("Referer", "http://evil.example/" + own)],
            [host, agent, ("Referer", own + ".evil.example/")], [host, agent, ("Referer", "garbage")],
            [host, agent, ("Sec-Fetch-Site", "same-origin"), ("Sec-Purpose", "prefetch")],
            [host, agent, ("Sec-Fetch-Site", "same-origin"), ("Purpose", "prefetch")],
            [host, agent, ("Sec-Fetch-Site", "cross-site"), ("Referer", own + "/")], [host, ("Origin", "http://evil.example")],
            [host, ("Sec-Fetch-Site", "cross-site")],
            [host, ("User-Agent", "curl/8"), ("Sec-Purpose", "prefetch;prerender")],
            [host], [host, ("User-Agent", "curl/8"), ("Range", "bytes=0-1")],
            [host, ("User-Agent", "AppleCoreMedia/1.0.0.19E241 (iPhone)"), ("Range", "bytes=0-1")],
            [host, ("User-Agent", "WhatsApp/2.23.20.0")],
        ]
        for fields in kept {
            try folder.write("a.txt", "x")
            let request = HTTPRequest.bytes("GET", "/delete/a.txt", fields + [("Accept", browserAccept)])
            try everyDelivery(server, request) { reply, _, label in
                #expect(folder.exists("a.txt"), "deleted by \(fields) \(label)")
                let isForeign = fields.contains { ["cross-site", "same-site", "http://evil.example"].contains($0.1) }
                #expect(reply.status == (isForeign ? 403 : 200), "\(fields) \(label): \(reply.status)")
                if reply.status == 200 {
                    #expect(contains(reply.body, "method=\"post\""), "\(fields) \(label): no form")
                    #expect(reply.attributes("action").contains("/delete/a.txt"), "\(fields) \(label)")
                }
            }
        }
        let meant: [[(String, String)]] = [
            [host, agent, ("Sec-Fetch-Site", "same-origin")], [host, agent, ("Referer", own + "/")],
            [host, agent, ("Referer", own + "/sub/?x")], [host, ("User-Agent", "curl/8.5.0")],
            [host, ("User-Agent", "Wget/1.21.3")],
        ]
        for fields in meant {
            try folder.write("a.txt", "x")
            try everyDelivery(server, HTTPRequest.bytes("GET", "/delete/a.txt", fields)) { reply, _, label in
                #expect(reply.status == 303 && !folder.exists("a.txt"), "\(fields) \(label): \(reply.status)")
                try folder.write("a.txt", "x")
            }
        }
        try folder.write("a.txt", "x")
        let head = try server.ask("HEAD", "/delete/a.txt", [host, ("User-Agent", "curl/8.5.0")])
        #expect(head.status == 200 && folder.exists("a.txt"), "deleted by HEAD, \(head.status)")
    }

    @Test("A43 a foreign page can neither delete nor upload")
    func foreign() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.txt", "x")
        let server = try ServerProcess(folder.path)
        let form = Form.one("evil.txt", "x")
        for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1.evil.example:\(server.port)"] {
            let fields = [("Host", "127.0.0.1:\(server.port)"), ("Origin", origin), ("User-Agent", phone)]
            for (method, target, body) in [
                ("POST", "/delete/a.txt", []), ("DELETE", "/a.txt", nil), ("PUT", "/evil.txt", bytes("x")),
            ] as [(String, String, [UInt8]?)] {
                try everyDelivery(server, method, target, fields, body: body, gives: 403)
            }
            try everyDelivery(server, "POST", "/", fields + [("Content-Type", form.contentType)], body: form.body, gives: 403)
        }
        #expect(folder.visibleTexts == ["a.txt"])
        let own = [
            ("Host", "127.0.0.1:\(server.port)"), ("Origin", "http://127.0.0.1:\(server.port)"), ("User-Agent", phone),
            ("Accept", browserAccept),
        ]
        #expect(try server.ask("POST", "/delete/a.txt", own, body: []).status == 303)
        #expect(folder.visibleTexts.isEmpty)
    }

    @Test("A43 a crawler that follows every link deletes nothing")
    func crawler() throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        try folder.makeFolder("sub")
        for name in ["a.txt", "b c.txt", "sub/d.txt"] { try folder.write(name, name) }
        let server = try ServerProcess(folder.path)
        let run = try Command.run(["wget", "-q", "-r", "-l", "3", "-e", "robots=off", "-P", scratch.path, server.url + "/"])
        #expect([0, 8].contains(run.status), "\(run.errorText)")
        #expect(folder.visibleTexts == ["a.txt", "b c.txt", "sub"] && folder.exists("sub/d.txt"))
        #expect(scratch.allFiles.keys.contains { $0.hasSuffix("/a.txt") }, "the crawler found nothing")
        for target in ["/", "/sub/"] {
            let page = try server.get(target, [("Accept", browserAccept)])
            for attribute in ["href", "src"] { #expect(!page.attributes(attribute).contains { $0.contains("delete") }) }
        }
    }
}
