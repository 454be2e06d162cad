import TestSupport
import Testing

@Suite("a full disk", .mounts, .serialized)
struct DiskFullTests {
    @Test("a list too long for memory is shown also where no room is left for it")
    func listing() throws {
        let outer = try TemporaryFolder()
        let mount = try SmallMount(outer, options: "size=1m,nr_inodes=20000")
        for number in 0..<3000 { try outer.write("drop/\(number) \(String(repeating: "long", count: 30))", "") }
        let server = try ServerProcess(mount.path)
        // The last page of memory, too.
        let rest = noise(2_000_000)
        #expect(try server.put("/rest", HTTPRequest.chunked(rest, size: 4096), [("Transfer-Encoding", "chunked")]).status == 507)
        _ = try Command.run(["sh", "-c", "head -c 2000000 /dev/zero > \(mount.path)/rest"])
        #expect(try server.put("/x", [1]).status == 507)
        #expect(try server.listing().count == 3001)
        #expect(contains(try server.get("/", [("Accept", browserAccept)]).body, "2999 long"))
    }

    @Test("a form is refused before it is sent when its length cannot fit, and the files of one that fits share the room")
    func formLength() throws {
        let outer = try TemporaryFolder()
        let mount = try SmallMount(outer, options: "size=1m")
        let server = try ServerProcess(mount.path)
        let request = HTTPRequest.bytes(
            "POST", "/", [("Content-Type", Form().contentType)], body: Form.one("big", noise(3_000_000)).body)
        let client = try server.connect()
        try client.send(request[..<1000])
        #expect(try client.readReply().status == 507)
        var form = Form()
        for name in ["a", "b", "c"] { form.file(bytes(name), noise(300_000)) }
        #expect(try server.post(form).stored.map(\.size) == [300_000, 300_000, 300_000])
    }

    @Test(
        "is told before the body to a client that waits to be asked for it, whatever the length", arguments: ["bytes", "files"])
    func awaited(missing: String) throws {
        let outer = try TemporaryFolder()
        let options = missing == "bytes" ? "size=1m" : "size=8m,nr_inodes=12"
        let mount = try SmallMount(outer, options: options)
        let server = try ServerProcess(mount.path)
        let fill = missing == "bytes" ? "head -c 2000000 /dev/zero > 1" : "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do : > $i; done"
        _ = try Command.run(["sh", "-c", "cd \(mount.path); \(fill)"])
        func ask(_ method: String, _ target: String, _ length: Int) throws -> HTTPReply {
            let fields = [("Content-Type", Form().contentType), ("Content-Length", String(length)), ("Expect", "100-continue")]
            let client = try server.connect()
            try client.send(HTTPRequest.bytes(method, target, fields))
            return try client.readReply(passingInterim: false)
        }
        let requests = [("PUT", "/a", [1, 65_536, 65_537]), ("POST", "/", [200, 65_536, 1_048_576, 1_048_577])]
        for (method, target, lengths) in requests {
            for length in lengths {
                let reply = try ask(method, target, length)
                #expect(reply.status == 507 && reply.text.contains("room"), "\(method) of \(length): \(reply.status)")
            }
        }
        #expect(try server.ask("DELETE", "/1").status == 204)
        for (method, target, lengths) in requests { #expect(try ask(method, target, lengths[1]).status == 100, "\(method)") }
    }

    @Test("A20 a full disk is told, the old file stays, nothing is left over", arguments: ["PUT", "chunked", "POST"])
    func a20(way: String) throws {
        let outer = try TemporaryFolder()
        let mount = try SmallMount(outer, options: "size=1m")
        let server = try ServerProcess(mount.path, ["--on-duplicate-files", "overwrite"])
        let old = noise(100_000)
        let big = noise(3_000_000)
        #expect(try server.put("/a.bin", old).status == 201)
        let before = outer.allFiles
        let baseline = server.descriptors
        let request =
            switch way {
            case "PUT": HTTPRequest.bytes("PUT", "/a.bin", body: big)
            case "chunked":
                HTTPRequest.bytes(
                    "PUT", "/a.bin", [("Transfer-Encoding", "chunked")], body: HTTPRequest.chunked(big, size: 50_000))
            default: HTTPRequest.post(.one("a.bin", big))
            }
        try everyDelivery(server, request) { reply, ended, label in
            #expect(reply.status == 507 && ended, "\(label): \(reply.status) \(reply.text)")
            #expect(!reply.body.isEmpty && !reply.text.contains("errno"), "\(label)")
            #expect(isSame(outer.read("drop/a.bin"), old), "\(label)")
        }
        #expect(eventually { outer.allFiles == before && server.descriptors <= baseline + 1 }, "\(outer.allFiles)")
        #expect(try server.put("/small.bin", noise(50_000)).status == 201)
        #expect(isSame(outer.read("drop/small.bin"), noise(50_000)))
        #expect(try isSame(server.get("/a.bin").body, old))
        #expect(try server.stop() == 0)
    }
}
