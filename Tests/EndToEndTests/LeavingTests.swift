import TestSupport
import Testing

/// Clients that leave at every byte of an upload near its boundaries, by closing and by a reset.
@Suite("clients that go away", .timeLimit(.minutes(2)))
struct LeavingTests {
    private static let content = noise(300)

    /// A request, and the offsets near which something begins or ends in it.
    private struct Upload: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let boundaries: [Int]
    }

    /// The request, with a boundary behind each occurrence of a mark and before it.
    private static func upload(_ name: String, _ bytes: [UInt8], _ marks: String...) -> Upload {
        var boundaries = [0, bytes.count]
        for mark in marks.map({ Array($0.utf8) }) {
            for start in bytes.indices where bytes[start...].starts(with: mark) { boundaries += [start, start + mark.count] }
        }
        return Upload(testDescription: name, bytes: bytes, boundaries: boundaries)
    }

    private static var uploads: [Upload] {
        var form = Form()
        form.field("note", "hello")
        form.file(Array("left1".utf8), self.content)
        form.file(Array("left2".utf8), self.content)
        let chunked = HTTPRequest.bytes("PUT", "/left", [("Transfer-Encoding", "chunked")])
        return [
            self.upload("PUT", HTTPRequest.bytes("PUT", "/left", body: self.content), "\r\n\r\n"),
            self.upload(
                "PUT in chunks", chunked + HTTPRequest.chunked(self.content, size: 100), "\r\n\r\n", "\r\n64\r\n", "\r\n0\r\n\r\n"
            ),
            self.upload(
                "form", HTTPRequest.post(form), "\r\n\r\n", "\r\n--\(form.boundary)", "\r\n--\(form.boundary)--\r\n",
                "filename=\"left2\""),
        ]
    }

    /// Every offset within three bytes of a boundary.
    private static func cuts(_ upload: Upload) -> [Int] {
        let near = upload.boundaries.flatMap { Array(($0 - 3)...($0 + 3)) }
        return Set(near).filter { (0...upload.bytes.count).contains($0) }.sorted()
    }

    @Test("leave nothing unless all of the request had been sent, and nothing open", arguments: Self.uploads, [false, true])
    private func leave(_ upload: Upload, resets: Bool) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--quiet", "--durability", "none"])
        #expect(try server.put("/stays", Self.content).status == 201)
        let before = server.descriptors
        let cuts = Self.cuts(upload)
        #expect(cuts.count > 12 && cuts.last == upload.bytes.count)
        for cut in cuts.dropLast() {
            let client = try server.connect()
            try client.send(upload.bytes.prefix(cut))
            if resets { client.reset() } else { client.close() }
        }
        // Also after the server has read what was sent.
        for cut in cuts.dropLast() {
            let client = try server.connect()
            try client.send(Array(upload.bytes.prefix(cut)), inPiecesOf: max(1, cut / 2))
            #expect(eventually(every: 1) { client.peerHasReadAll() }, "\(cut)")
            if resets { client.reset() } else { client.close() }
        }
        #expect(eventually { server.descriptors <= before }, "\(server.openFiles)")
        #expect(folder.allFiles == ["stays": Self.content.count], "\(folder.allFiles)")

        // Whoever has sent all of it is stored, also when it does not wait for the answer.
        let client = try server.connect()
        try client.send(upload.bytes)
        client.close()
        #expect(eventually { folder.visibleTexts.contains { $0.hasPrefix("left") } })
        #expect(eventually { server.descriptors <= before }, "\(server.openFiles)")
        for name in folder.visibleTexts { #expect(isSame(folder.read(name), Self.content), "\(name)") }
        #expect(try server.stop() == 0)
    }
}
