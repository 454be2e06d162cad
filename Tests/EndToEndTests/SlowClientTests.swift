import TestSupport
import Testing

/// Clients that hold on to what they have, and the others, who must not notice.
@Suite("slow and stuck clients", .timeLimit(.minutes(2)))
struct SlowClientTests {
    private static let content = noise(200_000)

    /// Two hundred who read nothing of a large file, and some who send heads, bodies and forms byte by byte.
    private final class Crowd {
        let readers: [RawClient]
        private let senders: [(client: RawClient, bytes: [UInt8])]
        private var sent = 0

        init(_ server: ServerProcess) throws {
            self.readers = try (0..<200).map { _ in
                let client = try server.connect(receiveBuffer: 4096)
                try client.send(HTTPRequest.bytes("GET", "/big"))
                #expect(try client.readReplyHead().status == 200)
                return client
            }
            let form = Form.one("form", SlowClientTests.content)
            let requests = [
                HTTPRequest.bytes("GET", "/" + String(repeating: "a", count: 4000)),
                HTTPRequest.bytes("PUT", "/put", body: SlowClientTests.content),
                HTTPRequest.bytes("PUT", "/chunked", [("Transfer-Encoding", "chunked")])
                    + HTTPRequest.chunked(SlowClientTests.content, size: 1), HTTPRequest.post(form),
            ]
            self.senders = try (0..<40).map { index in
                let request = requests[index % requests.count]
                // Of the others all but the head.
                let client = try server.connect()
                let begun = index % requests.count == 0 ? 1 : 400
                try client.send(request.prefix(begun))
                return (client, Array(request.dropFirst(begun)))
            }
        }

        /// Each sends one byte more.
        func drip() {
            for (client, bytes) in self.senders { client.sendIgnoringRefusal(bytes.dropFirst(self.sent).prefix(1)) }
            self.sent += 1
        }

        /// None who sends a body has got an answer yet. Heads have ten seconds, which a slow run may take.
        func isWaiting() throws -> Bool {
            try self.senders.enumerated().allSatisfy { try $0.offset % 4 == 0 || $0.element.client.receivesNothing() }
        }
    }

    private func prepare() throws -> (TemporaryFolder, ServerProcess) {
        let folder = try TemporaryFolder()
        #expect(try Command.run(["truncate", "-s", "1G", folder.path(of: "big")]).status == 0)
        try folder.write("small", "small")
        return (folder, try ServerProcess(folder.path, ["--durability", "none", "--quiet"]))
    }

    private func small(_ server: ServerProcess) throws { #expect(try isSame(server.get("/small").body, bytes("small"))) }

    /// - Parameter meanwhile: what else happens in every round.
    private func serveOthers(
        _ server: ServerProcess, _ folder: TemporaryFolder, _ crowd: Crowd, meanwhile: (Int) throws -> Void = { _ in }
    ) throws {
        for round in 0..<100 {
            crowd.drip()
            try meanwhile(round)
            try self.small(server)
            guard round % 5 == 0 else { continue }
            #expect(try server.put("/put\(round)", Self.content).status == 201)
            #expect(try server.post(.one("form\(round)", Self.content)).status == 201)
            #expect(try server.get("/?json").status == 200)
            for name in ["put\(round)", "form\(round)"] { #expect(isSame(folder.read(name), Self.content)) }
        }
    }

    @Test("A46 two hundred readers that do not read, and senders of single bytes, keep nobody from being served, or waiting")
    func a46() throws {
        let (folder, server) = try self.prepare()
        // The same without a crowd, asked in turn with it: whatever else the machine does slows down both.
        let (other, idle) = try self.prepare()
        var (crowded, alone) = (Latencies(), Latencies())
        let before = server.descriptors
        var crowd: Crowd? = try Crowd(server)
        if let crowd {
            try self.serveOthers(server, folder, crowd) { round in
                for _ in 0..<4 {
                    // Each is as often the first of the two as the second.
                    if round % 2 == 0 { try alone.measure { try self.small(idle) } }
                    try crowded.measure { try self.small(server) }
                    if round % 2 == 1 { try alone.measure { try self.small(idle) } }
                }
            }
            #expect(crowded.count == 400 && alone.count == 400)
            // The floors are what a busy machine does to one of the two by chance.
            for (share, floor) in [(50, 0.02), (90, 0.1), (99, 0.5)] {
                #expect(
                    crowded.percentile(share) <= max(4 * alone.percentile(share), floor), "crowd: \(crowded); alone: \(alone)")
            }
            #expect(alone.percentile(50) < 0.1, "alone: \(alone)")
            #expect(try crowd.isWaiting())
            // The readers still have what they asked for.
            for reader in crowd.readers.prefix(3) { try reader.skip(1 << 20) }
        }
        #expect(folder.visibleTexts.count == 42 && !folder.exists("put") && !folder.exists("form"))
        withExtendedLifetime(other) {}
        crowd = nil
        #expect(eventually { server.descriptors <= before + 4 }, "\(server.openFiles)")
        #expect(try server.stop() == 0)
    }

    @Test("A46 two hundred readers that do not read cost memory that does not grow with time")
    func a46memory() throws {
        let (folder, server) = try self.prepare()
        // As much of everything as what follows, by clients that are quick.
        for round in 0..<20 {
            #expect(try server.put("/warm\(round)", Self.content).status == 201)
            #expect(try server.post(.one("warmform\(round)", Self.content)).status == 201)
        }
        let crowd = try Crowd(server)
        try self.serveOthers(server, folder, crowd)
        let begun = server.peakResidentBytes
        for _ in 0..<3 {
            for name in folder.visibleTexts where name.hasPrefix("put") || name.hasPrefix("form") { folder.remove(name) }
            try self.serveOthers(server, folder, crowd)
        }
        let grown = server.peakResidentBytes - begun
        #expect(grown < 4 << 20, "\(grown) bytes")
        // Each holds a connection and a task, and no buffer of a file's content.
        #expect(begun < ServerProcess.workers * (64 << 20), "\(begun) bytes")
    }
}
