import TestSupport
import Testing

/// With the times that the program really has: it takes more than a minute, most of it without using a processor.
@Suite("clients that fall silent", .mounts, .timeLimit(.minutes(4)))
struct SilentClientTests {
    /// Returns when the condition holds; meanwhile other tests run.
    private func comes(within seconds: Double, _ condition: () throws -> Bool) async throws -> Bool {
        let deadline = monotonicSeconds() + seconds
        while try !condition() {
            guard monotonicSeconds() < deadline else { return false }
            try await Task.sleep(for: .milliseconds(100))
        }
        return true
    }

    @Test(
        "in a body are answered 408 after a minute, and those that take nothing of an answer are cut off; what they held is free")
    func silent() async throws {
        let outer = try TemporaryFolder()
        let mount = try SmallMount(outer, options: "size=96m")
        try outer.write("drop/big", [UInt8](repeating: 1, count: 24 << 20))
        let server = try ServerProcess(mount.path, ["--quiet"])
        let sockets = { server.openFiles.count { $0.hasPrefix("socket:") } }
        let listening = sockets()
        // Whatever is opened once and for all is open then.
        for number in 0..<8 { #expect(try server.put("/first\(number)", [1]).status == 201) }
        #expect(eventually { sockets() == listening })
        let (descriptors, free) = (server.descriptors, mount.freeBytes)

        let length = 8_000_000
        let form = Form.one("never", [UInt8](repeating: 2, count: length))
        let uploads = try [
            HTTPRequest.bytes("PUT", "/never", [("Content-Length", String(length)), ("Expect", "100-continue")]),
            HTTPRequest.bytes(
                "POST", "/",
                [("Content-Type", form.contentType), ("Content-Length", String(form.body.count)), ("Expect", "100-continue")]),
        ].map { request in
            let client = try server.connect()
            try client.send(request)
            #expect(try client.readReplyHead().status == 100)
            return client
        }
        let start = monotonicSeconds()
        try uploads[0].send([2, 2, 2])
        try uploads[1].send(form.body.prefix(200_000))
        #expect(eventually { free - mount.freeBytes >= length }, "\(mount.freeBytes) of \(free)")
        let reader = try server.connect(receiveBuffer: 4096)
        try reader.send(HTTPRequest.bytes("GET", "/big"))
        #expect(try reader.readReplyHead().status == 200)
        #expect(server.descriptors > descriptors + 3)

        for upload in uploads { #expect(try await self.comes(within: 120) { try !upload.receivesNothing() }) }
        let answered = monotonicSeconds() - start
        #expect(answered > 50 && answered < 100, "\(answered) s")
        for upload in uploads {
            let reply = try upload.readReply()
            #expect(reply.status == 408 && reply.closes)
            upload.close()
        }
        #expect(eventually { mount.freeBytes == free }, "\(mount.freeBytes) of \(free)")
        #expect(try await self.comes(within: 60) { server.descriptors == descriptors }, "\(server.openFiles)")
        let cut = monotonicSeconds() - start
        #expect(cut > 55 && cut < 120, "\(cut) s")
        // What was on its way may still come.
        #expect(throws: TestFailure.self) { try reader.skip(24 << 20) }
        #expect(
            FileBytes.names(in: mount.path).filter { $0.first != 0x2E } == [Array("big".utf8)]
                + (0..<8).map { Array("first\($0)".utf8) })
        #expect(try server.stop() == 0)
    }
}
