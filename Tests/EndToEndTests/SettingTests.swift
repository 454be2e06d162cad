import TestSupport
import Testing

@Suite("where it listens and how it writes")
struct SettingTests {
    private var hasIPv6: Bool {
        let hasLoopback = contains(FileBytes.read("/proc/net/if_inet6") ?? [], " lo\n")
        if !hasLoopback { print("SKIPPED: IPv6: this machine has no ::1") }
        return hasLoopback
    }

    private let upload = HTTPRequest.bytes("PUT", "/a.bin", body: noise(100_000))

    @Test("--bind ::1 serves IPv6 clients, and no others", arguments: ["::1", "[::1]"])
    func ipv6(address: String) throws {
        guard self.hasIPv6 else { return }
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, bind: address)
        #expect(server.child.outputText.contains("http://[::1]:\(server.port)/\n"), "\(server.child.outputText)")
        let client = try RawClient(port: server.port, ipv6: true)
        let host = ("Host", "[::1]:\(server.port)")
        try client.send(self.upload)
        #expect(try client.readReply().status == 201)
        try client.send(HTTPRequest.bytes("GET", "/a.bin", [host]))
        #expect(try isSame(client.readReply().body, noise(100_000)))
        // A page of this very address may write.
        try client.send(HTTPRequest.bytes("DELETE", "/a.bin", [host, ("Origin", "http://[::1]:\(server.port)")]))
        #expect(try client.readReply(to: "DELETE").status == 204)
        #expect(throws: TestFailure.self) { try server.connect() }
        #expect(try Command.run(["curl", "-sS", "-f", "http://[::1]:\(server.port)/?json"]).status == 0)
        #expect(eventually { server.child.errorText.contains("::1 PUT /a.bin 201") }, "\(server.child.errorText)")
    }

    @Test("without --bind it listens at IPv4 and IPv6, at one port, also where that is any free one")
    func everywhere() throws {
        guard self.hasIPv6 else { return }
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, bind: nil)
        for (index, ipv6) in [false, true, false, true].enumerated() {
            let client = try RawClient(port: server.port, ipv6: ipv6)
            try client.send(HTTPRequest.bytes("PUT", "/\(index)", body: bytes("x")))
            #expect(try client.readReply().status == 201, "\(index)")
        }
        #expect(folder.visibleTexts == ["0", "1", "2", "3"])
        // Other addresses than loopback are what it shows.
        let urls = server.child.outputText.split(separator: "\n").filter { $0.contains("http://") }
        #expect(!urls.isEmpty && urls.allSatisfy { $0.hasSuffix(":\(server.port)/") }, "\(server.child.outputText)")
        #expect(try server.stop() == 0)
    }

    @Test("several addresses share the port", arguments: [["127.0.0.1,::1"], ["127.0.0.1", "--bind", "::1"]])
    func several(words: [String]) throws {
        guard self.hasIPv6 else { return }
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, Array(words.dropFirst()), bind: words[0])
        for ipv6 in [false, true] {
            let client = try RawClient(port: server.port, ipv6: ipv6)
            try client.send(HTTPRequest.bytes("GET", "/"))
            #expect(try client.readReply().status == 200)
        }
    }

    @Test("--state takes the server's own files, and none are in the folder")
    func state() throws {
        let outer = try TemporaryFolder()
        try outer.makeFolder("drop")
        let server = try ServerProcess(outer.path(of: "drop"), ["--state", outer.path(of: "own")])
        #expect(outer.names() == ["drop", "own"])
        #expect(outer.mode("own") == 0o700)
        let client = try server.connect()
        try client.send(HTTPRequest.bytes("PUT", "/half.bin", [("Content-Length", "10"), ("Expect", "100-continue")]))
        #expect(try client.readReplyHead().status == 100)
        try client.send("01234")
        #expect(outer.names("drop") == [])
        try client.send("56789")
        #expect(try client.readReply().status == 201)
        #expect(try server.post(.one("form.bin", "x")).status == 201)
        #expect(outer.names("drop") == ["form.bin", "half.bin"])
        // Its usual place is nothing special then, but stays hidden.
        #expect(try server.get("/.uvdrop/").status == 404)
        #expect(try server.stop() == 0)
        #expect(outer.names("drop") == ["form.bin", "half.bin"] && outer.names("own") == ["names.lock"])
    }

    @Test("a state folder inside the folder is never served", arguments: [[], ["--hidden"]])
    func innerState(options: [String]) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--state", folder.path(of: "own")] + options)
        try folder.write("own/secret", "x")
        #expect(folder.names() == ["own"])
        for target in ["/own", "/own/", "/own/secret"] { try everyDelivery(server, "GET", target, gives: 404) }
        #expect(try server.put("/own/new", bytes("x")).status == 409)
        #expect(try server.ask("DELETE", "/own/secret").status == 404)
        #expect(folder.names("own") == ["names.lock", "secret"])
    }

    @Test(
        "it raises its limit of descriptors to the hard one",
        arguments: [("ulimit -Sn 100", nil), ("ulimit -n 200", "200"), ("ulimit -Sn 100; ulimit -Hn 300", "300")])
    func descriptors(shell: String, limit: String?) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, after: shell)
        let limits = String(decoding: FileBytes.read("/proc/\(server.child.processID)/limits") ?? [], as: UTF8.self)
        let words = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }).split(separator: " ")
        #expect(words[3] == words[4] && words[4] != "100", "\(words)")
        if let limit { #expect(words[4] == limit, "\(words)") }
        #expect(try server.put("/a", bytes("x")).status == 201)
    }

    @Test(
        "the mode of what is uploaded follows the umask",
        arguments: [("077", 0o600), ("022", 0o644), ("002", 0o664), ("027", 0o640)])
    func umask(mask: String, mode: UInt32) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite"], after: "umask \(mask)")
        #expect(try server.put("/put", bytes("x")).status == 201)
        #expect(try server.post(.one("form", "x")).status == 201)
        try folder.write("old", "x")
        #expect(try server.put("/old", bytes("new")).status == 204)
        for name in ["put", "form", "old"] { #expect(folder.mode(name) == mode, "\(name)") }
    }

    @Test("uploads are stored whole at every durability", arguments: ["full", "data", "none"])
    func durability(word: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", word, "--on-duplicate-files", "overwrite"])
        let content = noise(300_000)
        for (request, name, status) in [
            (HTTPRequest.bytes("PUT", "/put", body: content), "put", 201),
            (HTTPRequest.bytes("PUT", "/put", body: content), "put", 204),
            (
                HTTPRequest.bytes(
                    "PUT", "/chunked", [("Transfer-Encoding", "chunked")], body: HTTPRequest.chunked(content, size: 7000)),
                "chunked", 201
            ),
            (HTTPRequest.post(.one("form", content)), "form", 201), (HTTPRequest.bytes("PUT", "/empty", body: []), "empty", 201),
        ] {
            let client = try server.connect()
            try client.send(request)
            #expect(try client.readReply(to: "PUT").status == status, "\(name)")
            #expect(isSame(folder.read(name), name == "empty" ? [] : content), "\(name)")
        }
        #expect(folder.visibleTexts == ["chunked", "empty", "form", "put"])
    }

    @Test("forms that never end leave others the descriptors they need, and are told when there are too many", .oneWorker)
    func formDescriptors() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "x")
        let server = try ServerProcess(folder.path, after: "ulimit -n 200")
        var form = Form()
        for number in 0..<40 { form.file(bytes("\(number)"), bytes("x")) }
        let fields = [("Content-Type", form.contentType), ("Content-Length", "1000000"), ("Accept", "application/json")]
        var clients: [RawClient] = []
        for _ in 0..<2 {
            let client = try server.connect()
            try client.send(HTTPRequest.bytes("POST", "/", fields) + form.body.dropLast(20))
            clients.append(client)
        }
        let refused = try #require(clients.last).readReply()
        #expect(refused.status == 503 && refused["retry-after"] != nil, "\(refused.status)")
        #expect(try server.get("/a").status == 200 && server.isServing())
        #expect(try server.put("/b", bytes("y")).status == 201)
        #expect(try server.post(.one("c", "z")).status == 201)
        clients[0].reset()
        #expect(try eventually { try server.post(form).status == 201 })
    }

    @Test("started without standard descriptors it serves and ends as ever", arguments: ["0<&-", "0<&- 2>&-"])
    func closedDescriptors(closed: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "x")
        let server = try ServerProcess(folder.path, after: "exec \(closed)")
        for _ in 0..<20 { #expect(try isSame(server.get("/a").body, bytes("x"))) }
        #expect(try server.stop() == 0)
    }
}
