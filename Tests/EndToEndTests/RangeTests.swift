import TestSupport
import Testing

/// Ranges by the hundred, of a file of a megabyte at least: more pieces than are answered.
let manyRanges = [
    "bytes=" + String(repeating: "0-,", count: 1300) + "0-",
    "bytes=" + String(repeating: "0-4999999,", count: 600) + "0-1",
    "bytes=" + (0..<700).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ","),
    "bytes=" + (0..<700).map { "\(5000 - $0 * 2)-\(5001 - $0 * 2)" }.joined(separator: ","),
]

@Suite("ranges and conditions of downloads")
struct RangeTests {
    @Test("ranges of the largest file that a file system can hold are answered or refused, whole and cut", .mounts)
    func largest() throws {
        let outer = try TemporaryFolder()
        let mount = try SmallMount(outer, options: "size=1m")
        for (name, size) in [("a", "9223372036854775807"), ("b", "9223372036854767616"), ("c", "4611686018427387904")] {
            #expect(try Command.run(["truncate", "-s", size, "\(mount.path)/\(name)"]).status == 0)
        }
        let server = try ServerProcess(mount.path)
        for name in ["a", "b", "c"] {
            for range in [
                "bytes=-10", "bytes=9223372036854775806-", "bytes=0-0,-1", "bytes=-1,0-0", "bytes=9223372036854775807-",
                "bytes=-9223372036854775807", "bytes=0-4611686018427387903,4611686018427387905-",
                "bytes=0-9223372036854775806",
            ] {
                let client = try server.connect()
                try client.send(HTTPRequest.bytes("GET", "/\(name)", [("Range", range)]))
                let head = try client.readReplyHead()
                #expect([200, 206, 416].contains(head.status), "\(name) \(range): \(head.status)")
                _ = try client.read(min(10, #require(head["content-length"].flatMap { Int($0) })))
                client.reset()
            }
        }
        #expect(try server.get("/c", [("Range", "bytes=-10")]).body == [UInt8](repeating: 0, count: 10))
        #expect(try server.isServing())
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
            // An empty file is whole in every range: clients that always ask for one get it.
            .init(0, "bytes=0-1023", 200, nil, 0..<0), .init(0, "bytes=0-", 200, nil, 0..<0),
            .init(0, "bytes=0-0", 200, nil, 0..<0), .init(0, "bytes=-5", 200, nil, 0..<0),
        ]
        for entry in table {
            let request = HTTPRequest.bytes("GET", "/f\(entry.size)", [("Range", entry.range)])
            try everyDelivery(server, request) { reply, _, label in
                #expect(reply.status == entry.status, "\(entry.range) of \(entry.size) \(label): \(reply.status)")
                #expect(reply["content-range"] == entry.contentRange, "\(entry.range) \(label)")
                if let bounds = entry.bounds {
                    #expect(isSame(reply.body, [UInt8](noise(entry.size)[bounds])), "\(entry.range) \(label)")
                }
            }
        }
    }

    @Test("several ranges come as multipart/byteranges, byte for byte")
    func severalRanges() throws {
        let folder = try TemporaryFolder()
        let content = noise(500_000)
        try folder.write("many.bin", content)
        let server = try ServerProcess(folder.path)
        let client = try server.connect()
        for (_, pieces) in deliveries(of: HTTPRequest.bytes("GET", "/many.bin", [("Range", "bytes=0-9,100000-299999,-7")])) {
            for piece in pieces { try client.send(piece) }
            let reply = try client.readReply()
            #expect(reply.status == 206)
            #expect(reply["content-range"] == nil)
            let parts = [("0-9", 0..<10), ("100000-299999", 100_000..<300_000), ("499993-499999", 499_993..<500_000)]
            #expect(
                reply.parts == parts.map { HTTPReply.Part(range: "bytes \($0.0)/500000", content: Array(content[$0.1])) })
        }
    }

    @Test("A34 ranges beyond two gibibytes are exact")
    func a34() throws {
        let folder = try TemporaryFolder()
        let place = Int(Int32.max) - 2
        let path = folder.path(of: "big.bin")
        let script = "truncate -s 3G \(path) && printf 0123456789 | dd of=\(path) bs=1 seek=\(place) conv=notrunc status=none"
        #expect(try Command.run(["sh", "-c", script]).status == 0)
        let server = try ServerProcess(folder.path)
        for (range, body) in [
            ("\(place)-\(place + 9)", "0123456789"), ("\(place + 2)-\(place + 4)", "234"), ("-5", "\0\0\0\0\0"),
            ("\(place + 9)-\(place + 10)", "9\0"), ("3221225471-", "\0"),
        ] {
            try everyDelivery(server, HTTPRequest.bytes("GET", "/big.bin", [("Range", "bytes=" + range)])) { reply, _, label in
                #expect(reply.status == 206 && isSame(reply.body, bytes(body)), "\(range) \(label): \(reply.status)")
            }
        }
        let reply = try server.get("/big.bin", [("Range", "bytes=3221225472-")])
        #expect(reply.status == 416 && reply["content-range"] == "bytes */3221225472")
    }

    @Test("A34 a file that changes while it is sent is promised and sent as long as it was", arguments: ["grows", "is replaced"])
    func changing(way: String) throws {
        let folder = try TemporaryFolder()
        let content = noise(20_000_000)
        try folder.write("f.bin", content)
        let server = try ServerProcess(folder.path)
        let client = try server.connect(receiveBuffer: 4096)
        try client.send(HTTPRequest.bytes("GET", "/f.bin") + HTTPRequest.bytes("GET", "/f.bin", [("Range", "bytes=0-3")]))
        #expect(try client.readReplyHead()["content-length"] == "20000000")
        if way == "grows" {
            #expect(try Command.run(["sh", "-c", "printf more >> \(folder.path(of: "f.bin"))"]).status == 0)
        } else {
            try folder.write("new", "another")
            #expect(try Command.run(["mv", folder.path(of: "new"), folder.path(of: "f.bin")]).status == 0)
        }
        #expect(try isSame(client.read(content.count), content))
        let range = try client.readReply()
        #expect(range["content-range"] == (way == "grows" ? "bytes 0-3/20000004" : "bytes 0-3/7"))
    }

    @Test("A30 thousands of overlapping ranges make no answer larger than the file")
    func a30() throws {
        let folder = try TemporaryFolder()
        let content = noise(1_000_000)
        try folder.write("five.bin", content)
        let server = try ServerProcess(folder.path)
        for range in manyRanges {
            try everyDelivery(server, HTTPRequest.bytes("GET", "/five.bin", [("Range", range)])) { reply, _, label in
                #expect(reply.status == 200 && isSame(reply.body, content), "\(range.prefix(20)) \(label): \(reply.status)")
            }
        }
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
            let request = HTTPRequest.bytes("GET", "/r.bin", [("Range", "bytes=500-"), ("If-Range", tag)])
            try everyDelivery(server, request) { reply, _, label in
                #expect(reply.status == 200, "\(tag) \(label): \(reply.status)")
                #expect(isSame(reply.body, noise(1000, seed: 2)), "\(tag) \(label)")
            }
        }
        let request = HTTPRequest.bytes("GET", "/r.bin", [("Range", "bytes=500-"), ("If-Range", current)])
        try everyDelivery(server, request) { reply, _, label in
            #expect(reply.status == 206 && isSame(reply.body, [UInt8](noise(1000, seed: 2)[500...])), "\(label)")
        }
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
        for (fields, status) in table {
            for method in ["GET", "HEAD"] {
                try everyDelivery(server, HTTPRequest.bytes(method, "/c.txt", fields), to: method) { reply, _, label in
                    #expect(reply.status == status, "\(method) \(fields) \(label): \(reply.status)")
                    if status == 304 { #expect(reply["etag"] == tag && reply.body.isEmpty, "\(label)") }
                }
            }
        }
    }
}
