import TestSupport
import Testing

@Suite("--min-free", .mounts, .serialized)
struct MinFreeTests {
    private static let kept = 4 << 20

    /// Eight mebibytes, of which four stay free.
    private func start(_ outer: TemporaryFolder) throws -> (SmallMount, ServerProcess) {
        let mount = try SmallMount(outer, options: "size=8m")
        return (mount, try ServerProcess(mount.path, ["--min-free", "4MB", "--on-duplicate-files", "overwrite"]))
    }

    /// What is answered when nothing but the head has been sent.
    private func headAlone(_ server: ServerProcess, _ method: String, _ target: String, _ fields: [(String, String)]) throws
        -> Int
    {
        let client = try server.connect()
        try client.send(HTTPRequest.bytes(method, target, fields))
        return try client.readReply(passingInterim: false).status
    }

    @Test("an upload that would go below is refused before its body, of any size, and nothing else is")
    func announced() throws {
        let outer = try TemporaryFolder()
        let (mount, server) = try self.start(outer)
        let (form, free) = (Form().contentType, mount.freeBytes)
        for (length, fits) in [(3_000_000, true), (5_000_000, false)] {
            let put = [("Content-Length", String(length)), ("Expect", "100-continue")]
            #expect(try self.headAlone(server, "PUT", "/a", put) == (fits ? 100 : 507))
            // Who has left gives back what was reserved.
            #expect(eventually { mount.freeBytes == free })
            #expect(try self.headAlone(server, "POST", "/", put + [("Content-Type", form)]) == (fits ? 100 : 507))
        }
        #expect(try server.put("/a", noise(3_000_000)).status == 201)
        #expect(try server.put("/b", noise(2_000_000)).status == 507)
        _ = try Command.run(["sh", "-c", "head -c 2000000 /dev/zero > \(mount.path)/rest"])
        #expect(mount.freeBytes < Self.kept)
        // What stays in memory until it is whole, too.
        let small = [("Content-Length", "10"), ("Expect", "100-continue")]
        #expect(try self.headAlone(server, "PUT", "/c", small) == 507)
        let reply = try server.post(.one("c", "text"))
        #expect(reply.status == 507 && reply.text.contains("room"))
        #expect(try server.listing().map(\.name) == ["a", "rest"])
        #expect(try isSame(server.get("/a").body, noise(3_000_000)))
        #expect(try server.ask("DELETE", "/rest").status == 204)
        #expect(try server.put("/c", bytes("text")).status == 201)
        #expect(try server.post(.one("d", noise(100_000))).stored.map(\.name) == ["d"])
        #expect(mount.freeBytes >= Self.kept)
    }

    @Test("an upload of unknown length is stopped where it would go below, and leaves nothing", arguments: ["PUT", "POST"])
    func unknown(method: String) throws {
        let outer = try TemporaryFolder()
        let (mount, server) = try self.start(outer)
        let free = mount.freeBytes
        for (size, fits) in [(5_000_000, false), (3_000_000, true)] {
            var fields = [("Transfer-Encoding", "chunked")]
            var content = noise(size)
            if method == "POST" {
                fields.append(("Content-Type", Form().contentType))
                fields.append(("Accept", "application/json"))
                content = Form.one("f", content).body
            }
            let chunks = HTTPRequest.chunked(content, size: 50_000)
            let reply = try server.ask(method, method == "PUT" ? "/f" : "/", fields, body: chunks)
            #expect(reply.status == (fits ? 201 : 507), "\(size): \(reply.status) \(reply.text)")
            #expect(eventually { mount.freeBytes >= (fits ? Self.kept : free - 65_536) }, "\(mount.freeBytes)")
        }
    }

    @Test("the reservations of running uploads count, of whichever worker, and what they have reserved is theirs")
    func reservations() throws {
        let outer = try TemporaryFolder()
        let (mount, server) = try self.start(outer)
        let first = try server.connect()
        try first.send(HTTPRequest.bytes("PUT", "/first", [("Content-Length", "3000000"), ("Expect", "100-continue")]))
        #expect(try first.readReplyHead().status == 100)
        // With several workers some of these come to another one.
        for _ in 0..<6 {
            #expect(try self.headAlone(server, "PUT", "/second", [("Content-Length", "2000000")]) == 507)
            let chunks = HTTPRequest.chunked(noise(2_000_000), size: 50_000)
            #expect(try server.ask("PUT", "/second", [("Transfer-Encoding", "chunked")], body: chunks).status == 507)
            #expect(try server.post(.one("second", noise(2_000_000))).status == 507)
        }
        #expect(try server.put("/third", noise(500_000)).status == 201)
        try first.send(noise(3_000_000))
        #expect(try first.readReply().status == 201)
        #expect(mount.freeBytes >= Self.kept)
    }

    @Test("many uploads at once never go below together, one is stored at least, and what they have left has room for the next")
    func crowd() throws {
        let outer = try TemporaryFolder()
        let (mount, server) = try self.start(outer)
        let free = mount.freeBytes
        let clients = try (0..<20).map { _ in try server.connect() }
        for (number, client) in clients.enumerated() {
            client.sendIgnoringRefusal(HTTPRequest.bytes("PUT", "/\(number)", body: noise(500_000)))
        }
        let stored = try clients.count { try $0.readReply().status == 201 }
        #expect(mount.freeBytes >= Self.kept && stored >= 1 && stored <= 8, "\(stored) stored, \(mount.freeBytes) free")
        #expect(try server.listing().count == stored)
        // Those that were refused because of others that were refused as well fit one after the other. A file has whole pages.
        #expect(eventually { mount.freeBytes == free - stored * 503_808 }, "\(stored) stored, \(mount.freeBytes) of \(free)")
        for number in stored..<8 { #expect(try server.put("/late\(number)", noise(500_000)).status == 201) }
        #expect(try server.put("/last", noise(500_000)).status == 507)
    }
}
