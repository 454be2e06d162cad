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
            let client = try server.connect()
            try client.send(HTTPRequest.bytes("HEAD", "/" + name, [("Connection", "close")]))
            let head = try client.readReply(to: "HEAD")
            #expect(head.status == 200)
            for field in ["content-length", "content-type", "etag", "last-modified", "content-disposition", "accept-ranges"] {
                #expect(head[field] == whole[field], "\(name) \(field)")
            }
            #expect(try client.endsCleanly(), "HEAD /\(name) had a body")
        }
    }

    @Test("A33 an answer to HEAD leaves the connection in order")
    func headThenGet() throws {
        let folder = try TemporaryFolder()
        try folder.write("f.bin", noise(70_000))
        let server = try ServerProcess(folder.path)
        for target in ["/f.bin", "/missing", "/", "/?json"] {
            let client = try server.connect()
            try client.send(HTTPRequest.bytes("HEAD", target) + HTTPRequest.bytes("GET", "/f.bin", [("Connection", "close")]))
            #expect(try client.readReply(to: "HEAD").status == (target == "/missing" ? 404 : 200))
            #expect(try isSame(client.readReply().body, noise(70_000)), "after HEAD \(target)")
            #expect(try client.endsCleanly())
        }
    }

    /// Expected status, Content-Range and body bounds; nil bounds are not looked at.
    struct RangeCase {
        let size: Int
        let range: String
        let status: Int
        let contentRange: String?
        let bounds: Range<Int>?

        init(_ size: Int, _ range: String, _ status: Int, _ contentRange: String?, _ bounds: Range<Int>?) {
            (self.size, self.range, self.status, self.contentRange, self.bounds) = (size, range, status, contentRange, bounds)
        }
    }

    @Test("A27 A28 A29 one range gives what RFC 9110 says")
    func ranges() throws {
        let folder = try TemporaryFolder()
        for size in [0, 180, 1000] { try folder.write("f\(size)", noise(size)) }
        let server = try ServerProcess(folder.path)
        let table: [RangeCase] = [
            .init(1000, "bytes=-10", 206, "bytes 990-999/1000", 990..<1000),
            .init(1000, "bytes=-1", 206, "bytes 999-999/1000", 999..<1000),
            .init(1000, "bytes=-1000", 206, "bytes 0-999/1000", 0..<1000),
            .init(1000, "bytes=-5000", 206, "bytes 0-999/1000", 0..<1000),
            .init(1000, "bytes=-0", 416, "bytes */1000", nil),
            .init(1000, "bytes=0-0", 206, "bytes 0-0/1000", 0..<1),
            .init(1000, "bytes=500-", 206, "bytes 500-999/1000", 500..<1000),
            .init(1000, "bytes=500-99999999999999999999999", 206, "bytes 500-999/1000", 500..<1000),
            .init(180, "bytes=10-200", 206, "bytes 10-179/180", 10..<180),
            .init(180, "bytes=180-", 416, "bytes */180", nil),
            .init(180, "bytes=9223372036854775807-", 416, "bytes */180", nil),
            .init(180, "bytes=99999999999999999999-", 416, "bytes */180", nil),
            .init(180, "bytes=179-179", 206, "bytes 179-179/180", 179..<180),
            .init(180, "bytes=5-2", 200, nil, 0..<180),
            .init(180, "bytes=a-b", 200, nil, 0..<180),
            .init(180, "bytes=", 200, nil, 0..<180),
            .init(180, "bytes=--5", 200, nil, 0..<180),
            .init(180, "lines=0-1", 200, nil, 0..<180),
        ]
        for entry in table {
            let reply = try server.get("/f\(entry.size)", [("Range", entry.range)])
            #expect(reply.status == entry.status, "\(entry.range) of \(entry.size): \(reply.status)")
            #expect(reply["content-range"] == entry.contentRange, "\(entry.range)")
            if let bounds = entry.bounds { #expect(isSame(reply.body, [UInt8](noise(entry.size)[bounds])), "\(entry.range)") }
        }
        for range in ["bytes=0-1023", "bytes=-5", "bytes=0-", "bytes=0-0"] {
            let reply = try server.get("/f0", [("Range", range)])
            #expect(
                reply.status == 200 && reply.body.isEmpty || reply.status == 416 && reply["content-range"] == "bytes */0",
                "\(range): \(reply.status)")
        }
    }

    @Test("several ranges come as multipart/byteranges, byte for byte")
    func severalRanges() throws {
        let folder = try TemporaryFolder()
        let content = noise(500_000)
        try folder.write("many.bin", content)
        let server = try ServerProcess(folder.path)
        let client = try server.connect()
        for _ in 0..<2 {
            try client.send(HTTPRequest.bytes("GET", "/many.bin", [("Range", "bytes=0-9,100000-299999,-7")]))
            let reply = try client.readReply()
            #expect(reply.status == 206)
            let type = try #require(reply["content-type"])
            #expect(type.hasPrefix("multipart/byteranges; boundary="))
            #expect(reply["content-range"] == nil)
            let boundary = type.dropFirst("multipart/byteranges; boundary=".count).filter { $0 != "\"" }
            var rest = reply.body[...]
            for (label, bounds) in [("0-9", 0..<10), ("100000-299999", 100_000..<300_000), ("499993-499999", 499_993..<500_000)] {
                let head = rest.prefix(400)
                let text = String(decoding: head, as: UTF8.self)
                #expect(text.contains("--\(boundary)\r\n"))
                #expect(text.lowercased().contains("content-range: bytes \(label)/500000\r\n"), "\(label)")
                guard
                    let blank = (head.startIndex..<max(head.startIndex, head.endIndex - 3)).first(where: {
                        rest[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10])
                    })
                else {
                    Issue.record("a part without a head for \(label)")
                    return
                }
                rest = rest[(blank + 4)...]
                #expect(rest.prefix(bounds.count).elementsEqual(content[bounds]), "\(label)")
                rest = rest.dropFirst(bounds.count)
            }
            #expect(String(decoding: rest, as: UTF8.self).hasPrefix("\r\n--\(boundary)--"))
        }
    }

    @Test("A30 thousands of overlapping ranges cost nothing")
    func a30() throws {
        let folder = try TemporaryFolder()
        let content = noise(5_000_000)
        try folder.write("five.bin", content)
        let server = try ServerProcess(folder.path)
        #expect(try server.get("/five.bin").body.count == content.count)
        let before = server.residentBytes
        for range in [
            "bytes=" + String(repeating: "0-,", count: 1300) + "0-",
            "bytes=" + String(repeating: "0-4999999,", count: 600) + "0-1",
            "bytes=" + (0..<700).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ","),
            "bytes=" + (0..<700).map { "\(5000 - $0 * 2)-\(5001 - $0 * 2)" }.joined(separator: ","),
        ] {
            let reply = try server.get("/five.bin", [("Range", range)])
            #expect([200, 206, 416].contains(reply.status), "\(reply.status)")
            #expect(reply.body.count <= content.count + 300_000, "\(reply.body.count)")
        }
        #expect(server.residentBytes - before < 8 << 20)
    }

    @Test("A31 only the very same file is continued")
    func a31() throws {
        let folder = try TemporaryFolder()
        try folder.write("r.bin", noise(1000, seed: 1))
        let server = try ServerProcess(folder.path)
        let first = try server.get("/r.bin")
        let old = try #require(first["etag"])
        #expect(try server.get("/r.bin", [("Range", "bytes=500-"), ("If-Range", old)]).status == 206)
        try folder.write("new", noise(1000, seed: 2))
        #expect(try Command.run(["mv", folder.path(of: "new"), folder.path(of: "r.bin")]).status == 0)
        let current = try #require(try server.get("/r.bin")["etag"])
        #expect(current != old)
        let middle = String(current.dropFirst().dropLast())
        for tag in [
            old, "W/" + current, middle, "\"\(middle.dropLast())\"", "\"x\(middle)\"", "Sun, 06 Nov 1994 08:49:37 GMT", "garbage",
            "*",
        ] {
            let reply = try server.get("/r.bin", [("Range", "bytes=500-"), ("If-Range", tag)])
            #expect(reply.status == 200, "\(tag): \(reply.status)")
            #expect(isSame(reply.body, noise(1000, seed: 2)), "\(tag)")
        }
        #expect(
            try isSame(
                server.get("/r.bin", [("Range", "bytes=500-"), ("If-Range", current)]).body, [UInt8](noise(1000, seed: 2)[500...])
            ))
    }

    @Test("A32 conditions are judged in the order of RFC 9110")
    func a32() throws {
        let folder = try TemporaryFolder()
        try folder.write("c.txt", "conditions")
        folder.setModified("c.txt", 1_000_000_000)
        let server = try ServerProcess(folder.path)
        let reply = try server.get("/c.txt")
        let tag = try #require(reply["etag"])
        let date = try #require(reply["last-modified"])
        let past = "Sun, 06 Nov 1994 08:49:37 GMT"
        let later = "Tue, 06 Nov 2035 08:49:37 GMT"
        let table: [([(String, String)], Int)] = [
            ([("If-None-Match", "\"nope\""), ("If-Modified-Since", later)], 200),
            ([("If-None-Match", "\"nope\""), ("If-Modified-Since", date)], 200),
            ([("If-None-Match", tag)], 304), ([("If-None-Match", "W/" + tag)], 304), ([("If-None-Match", "*")], 304),
            ([("If-None-Match", "\"a\", " + tag + ", \"b\"")], 304),
            ([("If-None-Match", tag), ("If-Modified-Since", past)], 304),
            ([("If-Modified-Since", date)], 304), ([("If-Modified-Since", past)], 200),
            ([("If-Modified-Since", "nonsense")], 200),
            ([("If-Match", tag)], 200), ([("If-Match", "*")], 200), ([("If-Match", "\"nope\"")], 412),
            ([("If-Match", "W/" + tag)], 412),
            ([("If-Unmodified-Since", past)], 412), ([("If-Unmodified-Since", later)], 200),
            ([("If-Match", tag), ("If-Unmodified-Since", past)], 200),
            ([("If-Match", "\"nope\""), ("If-None-Match", tag)], 412), ([("If-None-Match", tag), ("Range", "bytes=0-1")], 304),
        ]
        let client = try server.connect()
        for (fields, status) in table {
            for method in ["GET", "HEAD"] {
                try client.send(HTTPRequest.bytes(method, "/c.txt", fields))
                let reply = try client.readReply(to: method)
                #expect(reply.status == status, "\(method) \(fields): \(reply.status)")
                if status == 304 { #expect(reply["etag"] == tag && reply.body.isEmpty) }
            }
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
            let reply = try server.get(entry.url)
            #expect(reply.status == 200, "\(entry.url)")
            #expect(reply.head.allSatisfy { $0 < 0x7F })
            let disposition = try #require(reply["content-disposition"])
            #expect(disposition.hasPrefix("inline") || disposition.hasPrefix("attachment"))
            #expect(disposition.contains(expected), "\(disposition)")
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
            try client.send(HTTPRequest.bytes("GET", "/big.bin", fields))
            try client.skip(1000)
            if round % 2 == 0 { client.reset() } else { client.close() }
        }
        #expect(server.isRunning)
        #expect(eventually { server.descriptors <= baseline + 1 }, "\(server.descriptors) descriptors, \(baseline) before")
        #expect(try server.isServing())
    }

    @Test("a gigabyte goes out in constant memory")
    func memory() throws {
        let folder = try TemporaryFolder()
        #expect(try Command.run(["truncate", "-s", "1G", folder.path(of: "giga.bin")]).status == 0)
        let server = try ServerProcess(folder.path)
        #expect(try isSame(server.get("/giga.bin", [("Range", "bytes=0-99")]).body, [UInt8](repeating: 0, count: 100)))
        let before = server.residentBytes
        let client = try server.connect()
        try client.send(HTTPRequest.bytes("GET", "/giga.bin", [("Connection", "close")]))
        #expect(try client.readReplyHead()["content-length"] == "1073741824")
        try client.skip(1 << 30)
        #expect(try client.endsCleanly())
        #expect(server.residentBytes - before < 8 << 20)
    }
}
