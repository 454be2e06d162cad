import TestSupport
import Testing

@Suite("the list as JSON")
struct ListingTests {
    @Test("every file has name, kind, size, time, type and url; folders come first")
    func records() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("zoo")
        try folder.write("a.txt", "12345")
        try folder.write("b.png", "")
        try folder.write(".secret", "x")
        try folder.write("zoo/in.bin", "1")
        folder.setModified("a.txt", 784_111_777)
        let server = try ServerProcess(folder.path)
        for fields in [[], [("Accept", "application/json")]] as [[(String, String)]] {
            let reply = try server.get(fields.isEmpty ? "/?json" : "/", fields)
            #expect(reply.status == 200)
            #expect(reply["content-type"]?.hasPrefix("application/json") == true)
            let listing = try reply.listing
            #expect(listing.path == "/")
            #expect(listing.files.map(\.name) == ["zoo", "a.txt", "b.png"])
            #expect(listing.files.map(\.kind) == ["folder", "file", "file"])
            #expect(listing.files.map(\.url) == ["/zoo/", "/a.txt", "/b.png"])
            guard listing.files.count == 3 else { return }
            #expect(listing.files[1].size == 5 && listing.files[2].size == 0)
            #expect(
                listing.files[1].modified?.hasPrefix("1994-11-06T08:49:37") == true
                    && listing.files[1].modified?.hasSuffix("Z") == true)
            #expect(listing.files[1].type?.hasPrefix("text/plain") == true && listing.files[2].type == "image/png")
        }
        let inner = try server.get("/zoo/?json").listing
        #expect(inner.path == "/zoo/" && inner.files.map(\.url) == ["/zoo/in.bin"])
        #expect(try isSame(server.get("/zoo/in.bin").body, bytes("1")))
        #expect(try server.get("/none/?json").status == 404)
        #expect(try server.get("/zoo", [("Accept", browserAccept)]).status == 308)
    }

    @Test("what bears one of the server's own names is listed, and no address is given for it")
    func ownNames() throws {
        let folder = try TemporaryFolder()
        try folder.write("delete", "x")
        try folder.makeFolder("-")
        let server = try ServerProcess(folder.path)
        let text = try server.get("/?json").text
        #expect(text.contains("\"name\":\"-\"") && text.contains("\"name\":\"delete\"") && !text.contains("\"url\""), "\(text)")
    }

    @Test("an empty folder is an empty list")
    func empty() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        #expect(try server.listing().isEmpty)
    }

    @Test("HEAD of a folder says what GET would, but makes no list to tell its length", arguments: ["/", "/?json"])
    func head(target: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        let got = try server.get(target, [("Accept", browserAccept)])
        let head = try server.ask("HEAD", target, [("Accept", browserAccept)])
        #expect(head.status == 200 && head["content-length"] == nil && head.body.isEmpty)
        #expect(head["content-type"] == got["content-type"] && head["content-security-policy"] == got["content-security-policy"])
        #expect(got["content-length"] == String(got.body.count))
        #expect(try server.ask("HEAD", "/none/").status == 404)
    }

    @Test(
        "clients that ask for a long list and never read it cost next to nothing each",
        arguments: ["/", "/?json"], [[], ["--read-only"]])
    func unreadMemory(target: String, options: [String]) throws {
        let folder = try TemporaryFolder()
        for number in 0..<3000 { try folder.write("\(number) \(String(repeating: "long", count: 55))", "") }
        let server = try ServerProcess(folder.path, options)
        let length = try #require(try server.get(target)["content-length"].flatMap { Int($0) })
        #expect(length > 1 << 20)
        // Every thread that makes lists has made one.
        for client in try (0..<4).map({ _ in try server.connect() }) {
            try client.send(HTTPRequest.bytes("GET", target))
            #expect(try client.readReply().body.count == length)
        }
        let before = server.residentBytes
        let clients = try (0..<30).map { _ in try server.connect(receiveBuffer: 4096) }
        for client in clients { try client.send(HTTPRequest.bytes("GET", target)) }
        for client in clients { #expect(try client.readReplyHead()["content-length"] == String(length)) }
        #expect(server.residentBytes - before < clients.count * length / 4)
        // Nor is it in memory of another name.
        #expect(!server.openFiles.contains { $0.contains("memfd") }, "\(server.openFiles)")
        try clients[0].skip(length)
    }

    @Test("a list of thousands of files is whole")
    func many() throws {
        let folder = try TemporaryFolder()
        for number in 0..<3000 { try folder.write("file \(number) & more.txt", "") }
        let server = try ServerProcess(folder.path)
        #expect(Set(try server.listing().map(\.name)).count == 3000)
        let page = try server.get("/", [("Accept", browserAccept)])
        #expect(contains(page.body, "file 2999 &amp; more.txt"))
    }
}
