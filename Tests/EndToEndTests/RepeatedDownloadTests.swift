import Glibc
import TestSupport
import Testing

/// Downloads that are asked for again and again, which the server answers from what it remembers: every change, whoever makes it, is seen
/// by the next request.
@Suite("repeated downloads")
struct RepeatedDownloadTests {
    @Test(
        "the next answer after a change tells what is there now, from memory or from the disk", arguments: [1000, 100_000],
        DownloadChange.all)
    func changes(_ size: Int, _ change: DownloadChange) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("drop")
        try folder.makeFolder("drop/sub")
        try folder.write("drop/sub/f", noise(size))
        let server = try ServerProcess(folder.path(of: "drop"))
        let client = try server.connect()
        let tag = try #require(try server.get("/sub/f")["etag"])
        let whole = HTTPRequest.bytes("GET", "/sub/f")
        let conditional = HTTPRequest.bytes("GET", "/sub/f", [("If-None-Match", tag)])
        let range = HTTPRequest.bytes("GET", "/sub/f", [("Range", "bytes=5-20")])
        // Of the larger file the second part is too long to be gathered in memory.
        let several = HTTPRequest.bytes("GET", "/sub/f", [("Range", "bytes=5-20,40-\(size / 2)")])
        let head = HTTPRequest.bytes("HEAD", "/sub/f")
        func ask(_ expected: [UInt8]?, isSame: Bool, _ label: String) throws {
            try client.send(whole)
            let reply = try client.readReply()
            #expect(reply.status == (expected == nil ? 404 : 200) && (expected == nil || reply.body == expected), "\(label)")
            try client.send(conditional)
            #expect(try client.readReply().status == (expected == nil ? 404 : isSame ? 304 : 200), "\(label)")
            try client.send(range)
            let part = try client.readReply()
            #expect(part.status == (expected == nil ? 404 : 206), "\(label)")
            if let expected { #expect(part.body == Array(expected[5...20]), "\(label)") }
            try client.send(several)
            let parts = try client.readReply()
            #expect(parts.status == (expected == nil ? 404 : 206), "\(label)")
            if let expected {
                let last = min(size / 2, expected.count - 1)
                #expect(parts.parts?.map(\.content) == [Array(expected[5...20]), Array(expected[40...last])], "\(label)")
            }
            try client.send(head)
            let length = try client.readReply(to: "HEAD")["content-length"]
            if let expected { #expect(length == "\(expected.count)", "\(label)") }
        }
        for round in 1...4 { try ask(noise(size), isSame: true, "before, round \(round)") }
        let after = try change.act(folder, server)
        for round in 1...4 { try ask(after, isSame: change.testDescription == "nothing", "after, round \(round)") }
    }

    @Test("every one of many overwrites is seen by the request that follows it (A34)", arguments: [200, 60_000])
    func overwrites(_ size: Int) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite"])
        let (reader, writer) = (try server.connect(), try server.connect())
        let request = HTTPRequest.bytes("GET", "/f")
        for round in 0..<60 {
            let content = [UInt8](repeating: UInt8(round), count: size)
            switch round % 3 {
            case 0:
                try writer.send(HTTPRequest.bytes("PUT", "/f", body: content))
                #expect(try writer.readReply().status == (round == 0 ? 201 : 204))
            case 1: try DownloadChange.write(folder.path(of: "f"), content)
            default:
                try folder.write("new", content)
                try DownloadChange.rename(folder, "new", "f")
            }
            for _ in 0..<3 {
                try reader.send(request)
                #expect(try reader.readReply().body == content, "round \(round)")
            }
        }
    }

    @Test("a deleted file that was downloaded often gives its space back although the client stays")
    func deleted() throws {
        let folder = try TemporaryFolder()
        try folder.write("f", noise(300_000))
        let server = try ServerProcess(folder.path)
        let client = try server.connect()
        for _ in 0..<4 {
            try client.send(HTTPRequest.bytes("GET", "/f"))
            #expect(try client.readReply().status == 200)
        }
        folder.remove("f")
        #expect(eventually { !server.openFiles.contains { $0.hasSuffix("/f (deleted)") } }, "\(server.openFiles)")
    }

    @Test("a head that comes in two pieces is answered when it is whole, wherever it is cut, however often")
    func pieces() throws {
        let folder = try TemporaryFolder()
        try folder.write("f", "content")
        let server = try ServerProcess(folder.path)
        let other = try server.connect()
        let request = HTTPRequest.bytes("GET", "/f")
        for cut in 1..<request.count {
            let client = try server.connect()
            for round in 1...4 {
                try client.send(request[..<cut])
                // Whoever asks later and has an answer has been read later.
                try other.send(HTTPRequest.bytes("OPTIONS", "*"))
                #expect(try other.readReply().status == 204)
                #expect(try client.receivesNothing(), "cut at \(cut), round \(round)")
                try client.send(request[cut...])
                #expect(try client.readReply().text == "content", "cut at \(cut), round \(round)")
            }
        }
    }

    @Test("what is answered behind an upload is never taken for the answer to that upload")
    func behindUpload() throws {
        let folder = try TemporaryFolder()
        try folder.write("f", "content")
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite"])
        let (whole, other) = (HTTPRequest.bytes("PUT", "/up", body: bytes("body")), try server.connect())
        let head = whole.dropLast(4)
        for round in 1...4 {
            let client = try server.connect()
            try client.send(head)
            // Whoever asks later and has an answer has been read later.
            try other.send(HTTPRequest.bytes("OPTIONS", "*"))
            #expect(try other.readReply().status == 204)
            #expect(try client.receivesNothing(), "round \(round)")
            try client.send(bytes("body") + HTTPRequest.bytes("GET", "/f"))
            #expect(try client.readReply().status == (round == 1 ? 201 : 204))
            #expect(try client.readReply().text == "content")
            #expect(folder.text("up") == "body")
        }
    }

    @Test("answers that were remembered are logged like all others, and their date goes on")
    func logged() throws {
        let folder = try TemporaryFolder()
        try folder.write("f", "content")
        let server = try ServerProcess(folder.path)
        let client = try server.connect()
        var dates: Set<String> = []
        var count = 0
        #expect(
            eventually {
                try? client.send(HTTPRequest.bytes("GET", "/f?token=x"))
                guard let reply = try? client.readReply(), reply.text == "content" else { return false }
                count += 1
                dates.insert(reply["date"] ?? "")
                return dates.count == 3
            })
        #expect(dates.allSatisfy { $0.utf8.count == 29 })
        let lines = { server.child.errorText.split(separator: "\n").filter { $0.contains("GET /f 200 7 ") }.count }
        #expect(eventually { lines() == count }, "\(lines()) of \(count)")
    }

    @Test("parts beyond 4 GiB come right, again and again")
    func beyondFourGibibytes() throws {
        let folder = try TemporaryFolder()
        let size = (5 << 30) + 123
        try folder.write("f", "")
        guard unsafe truncate(folder.path(of: "f"), off_t(size)) == 0 else { throw TestFailure("truncate: errno \(errno)") }
        let marks: [(Int, [UInt8])] = [(0, [1, 2]), ((4 << 30) - 1, [3, 4]), (size - 3, [5, 6, 7])]
        for (offset, bytes) in marks { try DownloadChange.write(folder.path(of: "f"), bytes, at: offset) }
        let server = try ServerProcess(folder.path)
        let client = try server.connect()
        for round in 1...4 {
            for (offset, bytes) in marks {
                try client.send(HTTPRequest.bytes("GET", "/f", [("Range", "bytes=\(offset)-\(offset + bytes.count - 1)")]))
                let reply = try client.readReply()
                #expect(reply.status == 206 && reply.body == bytes, "\(offset), round \(round)")
            }
            try client.send(HTTPRequest.bytes("GET", "/f", [("Range", "bytes=\((4 << 30) - 100_000)-\((4 << 30) + 99_999)")]))
            let across = try client.readReply().body
            #expect(across.count == 200_000 && across[99_999] == 3 && across[100_000] == 4, "round \(round)")
            try client.send(HTTPRequest.bytes("HEAD", "/f"))
            #expect(try client.readReply(to: "HEAD")["content-length"] == "\(size)")
        }
    }

    @Test("a thousand clients at once get one file whole")
    func crowd() throws {
        let folder = try TemporaryFolder()
        let content = noise(400_000)
        try folder.write("f", content)
        let server = try ServerProcess(folder.path, after: "ulimit -n 8192")
        var clients: [RawClient] = []
        for _ in 0..<1000 { clients.append(try RawClient(port: server.port, receiveBuffer: 4096)) }
        // Nobody has read when the last one asks: all are on their way together.
        for client in clients { try client.send(HTTPRequest.bytes("GET", "/f")) }
        for (index, client) in clients.enumerated() {
            #expect(try isSame(client.readReply().body, content), "client \(index)")
        }
        for client in clients.prefix(100) {
            try client.send(HTTPRequest.bytes("GET", "/f"))
            #expect(try isSame(client.readReply().body, content))
        }
    }
}
