import TestSupport
import Testing

/// Real ones, without room for one more file or for a body whose length nobody has told.
@Suite("a full disk", .mounts) struct FullDiskTests {
    private func form(_ count: Int, of size: Int) -> Form {
        var form = Form()
        for number in 0..<count { form.file(Array("form-\(number)".utf8), Content(number: number, size: size).bytes) }
        return form
    }

    @Test("without room for one more file is told in words, and a form has all its files or none", arguments: [100, 100_000])
    func inodes(_ size: Int) throws {
        let outer = try TemporaryFolder()
        let mount = try SmallMount(outer, options: "size=16m,nr_inodes=12")
        let server = try ServerProcess(mount.path, ["--quiet", "--on-duplicate-files", "overwrite"])
        let descriptors = server.descriptors
        let content = Content(number: 100, size: size)
        func expectFull(_ reply: HTTPReply, _ before: [String: [UInt8]]) {
            #expect(reply.status == 507 && reply.text.contains("not enough room"), "\(reply.status) \(reply.text)")
            #expect(eventually { FolderContents.all(in: mount.path) == before }, "\(FolderContents.names(in: mount.path))")
        }
        // All but the folder's own, the state folder's and the one of its locks.
        for number in 0..<9 { #expect(try server.put("/\(number)", content.bytes).status == 201) }
        let full = FolderContents.all(in: mount.path)
        try expectFull(server.put("/9", content.bytes), full)
        // An old file goes only when the new one is there.
        try expectFull(server.put("/0", Content(number: 101, size: size).bytes), full)
        try expectFull(server.post(self.form(3, of: size)), full)
        for number in 0..<2 { #expect(try server.ask("DELETE", "/\(number)").status == 204) }
        try expectFull(server.post(self.form(3, of: size)), FolderContents.all(in: mount.path))
        #expect(try server.post(self.form(2, of: size)).status == 201)
        #expect(FileBytes.read("\(mount.path)/form-1") == Content(number: 1, size: size).bytes)
        #expect(eventually { server.descriptors == descriptors }, "\(server.openFiles)")
        #expect(try server.stop() == 0)
    }

    @Test("that gets full while a form of unknown length arrives is told, and nothing of it stays", arguments: [3, 40])
    func unknownLength(_ files: Int) throws {
        let outer = try TemporaryFolder()
        let mount = try SmallMount(outer, options: "size=2m")
        let server = try ServerProcess(mount.path, ["--quiet"])
        let descriptors = server.descriptors
        #expect(try server.put("/old", Content(number: 100, size: 500_000).bytes).status == 201)
        let before = FolderContents.all(in: mount.path)
        let form = self.form(files, of: 3_000_000 / files)
        let fields = [("Content-Type", form.contentType), ("Transfer-Encoding", "chunked"), ("Connection", "close")]
        let client = try server.connect()
        client.sendIgnoringRefusal(HTTPRequest.bytes("POST", "/", fields, body: HTTPRequest.chunked(form.body, size: 60_000)))
        let reply = try client.readReply(to: "POST")
        #expect(reply.status == 507 && reply.text.contains("not enough room"), "\(reply.status) \(reply.text)")
        #expect(eventually { FolderContents.all(in: mount.path) == before }, "\(FolderContents.names(in: mount.path))")
        // All that the form had taken can be used again.
        #expect(try server.put("/new", Content(number: 101, size: 1_000_000).bytes).status == 201)
        client.close()
        #expect(eventually { server.descriptors == descriptors }, "\(server.openFiles)")
        #expect(try server.stop() == 0)
    }
}
