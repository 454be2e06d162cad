import TestSupport
import Testing

/// Without a journal a sync writes what it is asked to, and nothing that belongs to it besides: each file, each folder.
@Suite("after a power cut, on a disk without a journal", .loopDisks, .serialized)
struct NoJournalTests {
    private static func bytes(_ text: String, _ count: Int = 3000) -> [UInt8] {
        Array(Array(repeating: text + " ", count: count / text.utf8.count).joined().utf8.prefix(count))
    }

    private static func form(_ names: [String], _ text: String) -> Form {
        var form = Form()
        for name in names { form.file(Array(name.utf8), self.bytes(name + text)) }
        return form
    }

    @Test(
        "what was answered with success is there whole, and what was deleted is gone",
        arguments: [["mkfs.ext4", "-O", "^has_journal"], ["mkfs.ext2"]])
    func acknowledged(format: [String]) throws {
        let disk = try LoopDisk(format: format, mountOptions: [])
        let server = try ServerProcess(disk.drop, ["--on-duplicate-files", "overwrite", "--quiet"])
        var files: [String: [UInt8]] = [:]
        /// Makes sure that all is on the disk now, without the help of any later sync.
        func look(_ step: String, _ status: Int, _ expected: Int) throws {
            #expect(status == expected, "\(step)")
            let found = try disk.afterPowerCut { FolderContents.visible(in: $0) }
            let wrong = Set(files.keys).union(found.keys).filter { files[$0] != found[$0] }
            #expect(wrong.isEmpty, "\(step): \(wrong.sorted())")
        }
        files["small"] = Self.bytes("small")
        try look("PUT", try server.put("/small", Self.bytes("small")).status, 201)
        files["sub/large"] = Self.bytes("large", 300_000)
        try look("large PUT", try server.put("/sub/large", Self.bytes("large", 300_000)).status, 201)
        for name in ["a", "b", "c", "d", "e"] { files[name] = Self.bytes(name + "1") }
        try look("form", try server.post(Self.form(["a", "b", "c", "d", "e"], "1")).status, 201)
        files["a"] = Self.bytes("a2")
        try look("replaced by PUT", try server.put("/a", Self.bytes("a2")).status, 204)
        files["b"] = Self.bytes("b2")
        files["f"] = Self.bytes("f2")
        try look("replaced by form", try server.post(Self.form(["b", "f"], "2")).status, 201)
        let tag = try #require(try server.get("/sub/large")["etag"])
        files["sub/large"] = Self.bytes("short")
        try look("If-Match", try server.put("/sub/large", Self.bytes("short"), [("If-Match", tag)]).status, 204)
        files["c"] = nil
        try look("DELETE", try server.ask("DELETE", "/c").status, 204)
        files["sub/large"] = nil
        try look("DELETE of a replaced file", try server.ask("DELETE", "/sub/large").status, 204)
        #expect(try server.stop() == 0)
    }
}
