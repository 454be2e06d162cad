import Glibc
import TestSupport
import Testing

/// What becomes of the drop folder itself while it is served. Needs root and the right to mount for some; where it has not, it says so in a
/// line that the test run counts.
@Suite("a drop folder that changes", .serialized)
struct ChangingFolderTests {
    /// Every kind of request, each answered in words; nothing of it is stored.
    private func expectAway(_ server: ServerProcess) throws {
        // Each worker looks by itself, once a second; chance must not keep one of them out of all these, in any of many tries.
        #expect(try eventually { try (0..<30).allSatisfy { _ in try server.get("/?json").status == 503 } })
        for _ in 0..<4 {
            for (method, target) in [("GET", "/"), ("GET", "/f"), ("HEAD", "/f"), ("DELETE", "/f")] {
                let reply = try server.ask(method, target)
                #expect(reply.status == 503 && reply["retry-after"] != nil, "\(method) \(target)")
                #expect(method == "HEAD" || reply.text.contains("not in its place"), "\(reply.text)")
            }
            #expect(try server.put("/new", bytes("new")).status == 503)
            #expect(try server.post(.one("new", "new")).status == 503)
        }
        #expect(server.isRunning)
    }

    private func expectServed(_ server: ServerProcess, _ content: String) throws {
        #expect(try eventually { try (0..<30).allSatisfy { _ in try server.get("/f").text == content } })
        #expect(try server.listing().map(\.name) == ["f"])
        #expect(try server.put("/new", bytes("new")).status == 201)
        #expect(try server.get("/new").text == "new")
        #expect(try server.ask("DELETE", "/new").status == 204)
    }

    @Test("one that is removed or renamed is away, and one that is made anew or comes back is served", arguments: [false, true])
    func removed(isRenamed: Bool) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("drop")
        try folder.write("drop/f", "old")
        let server = try ServerProcess(folder.path(of: "drop"))
        try self.expectServed(server, "old")
        let baseline = server.descriptors
        if isRenamed { try DownloadChange.rename(folder, "drop", "away") } else { folder.remove("drop") }
        try self.expectAway(server)
        if isRenamed {
            #expect(!folder.exists("away/new"))
            try DownloadChange.rename(folder, "away", "drop")
            try self.expectServed(server, "old")
        }
        folder.remove("drop")
        try folder.makeFolder("drop")
        try folder.write("drop/f", "anew")
        try self.expectServed(server, "anew")
        #expect(eventually { server.descriptors <= baseline + 2 }, "\(server.descriptors), \(baseline) before")
        #expect(try server.stop() == 0)
    }

    @Test(
        "one that was named by a relative path is looked for where that led at the start, as its state folder is",
        arguments: [("place/drop", "."), ("place/drop", "./../drop/"), ("place/drop", "../../place/drop"), ("place", "drop")])
    func relative(directory: String, path: String) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("place")
        try folder.makeFolder("place/drop")
        try folder.write("place/drop/f", "old")
        let server = try ServerProcess(path, ["--state", "own"], in: folder.path(of: directory))
        try self.expectServed(server, "old")
        #expect(folder.exists("\(directory)/own/names.lock"))
        #expect(server.child.outputText.contains("Folder: \(folder.path(of: "place/drop"))\n"))
        try DownloadChange.rename(folder, "place", "gone")
        try self.expectAway(server)
        try folder.makeFolder("place")
        try folder.makeFolder("place/drop")
        try folder.write("place/drop/f", "anew")
        // One that is started now has a working directory that has been renamed.
        if ServerProcess.workers > 1, let worker = server.serving.first { kill(worker, SIGKILL) }
        try self.expectServed(server, "anew")
        #expect(try server.put("/kept", bytes("kept")).status == 201)
        #expect(folder.text("place/drop/kept") == "kept" && !folder.exists("gone/drop/kept"))
        #expect(folder.exists("\(directory)/own/names.lock"))
        #expect(try server.stop() == 0)
    }

    @Test("a link that was named by a relative path is followed to where it leads now") func relativeLink() throws {
        let folder = try TemporaryFolder()
        for name in ["one", "two"] {
            try folder.makeFolder(name)
            try folder.write("\(name)/f", name)
        }
        try folder.makeLink("drop", to: "one")
        let server = try ServerProcess("drop", in: folder.path)
        try self.expectServed(server, "one")
        folder.remove("drop")
        try folder.makeLink("drop", to: "two")
        try self.expectServed(server, "two")
    }

    @Test("another one that cannot be served is away, the log says why, and once it can be it is served") func unusable() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("drop")
        let server = try ServerProcess(folder.path(of: "drop"), ["--quiet"])
        folder.remove("drop")
        try folder.makeFolder("drop")
        try folder.write("drop/f", "anew")
        try folder.write("drop/.uvdrop", "no folder")
        try self.expectAway(server)
        let log = server.child.errorText
        // By each worker.
        let lines = log.split(separator: "\n").count { $0.contains("\(folder.path(of: "drop"))/.uvdrop cannot be used") }
        #expect((1...ServerProcess.workers).contains(lines), "\(log)")
        folder.remove("drop/.uvdrop")
        try self.expectServed(server, "anew")
        #expect(try server.stop() == 0)
    }

    @Test("from the moment it is removed on nothing is merely not found", arguments: 0..<6)
    func atOnce(_ request: Int) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("drop")
        try folder.write("drop/f", "f")
        let server = try ServerProcess(folder.path(of: "drop"))
        // Each worker has just looked.
        for _ in 0..<8 { #expect(try server.get("/f").text == "f") }
        folder.remove("drop")
        let reply =
            switch request {
            case 0: try server.get("/?json")
            case 1: try server.post(.one("new", "new"))
            case 2: try server.get("/f")
            case 3: try server.put("/new", noise(300_000))
            case 4: try server.ask("DELETE", "/f")
            default: try server.get("/none/")
            }
        #expect(reply.status == 503 && reply["retry-after"] != nil, "\(reply.status) \(reply.text)")
    }

    @Test("an upload that was on its way when the folder went is not answered with success")
    func underWay() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("drop")
        let server = try ServerProcess(folder.path(of: "drop"))
        for body in [bytes("small"), noise(200_000)] {
            let upload = try server.connect()
            let fields = [("Content-Length", String(body.count)), ("Expect", "100-continue")]
            try upload.send(HTTPRequest.bytes("PUT", "/up", fields))
            #expect(try upload.readReplyHead().status == 100)
            try DownloadChange.rename(folder, "drop", "away")
            try upload.send(body)
            #expect(try upload.readReply().status == 503)
            #expect(!folder.exists("away/up"))
            try DownloadChange.rename(folder, "away", "drop")
        }
    }

    @Test("a disk that is unmounted is away, and what lies beneath is not touched; mounted again it is served", .mounts)
    func unmounted() throws {
        let outer = try TemporaryFolder()
        let mount = try SmallMount(outer, options: "size=8m")
        try outer.write("drop/f", "old")
        try outer.write("drop/big", noise(6_000_000))
        let server = try ServerProcess(mount.path, ["--on-duplicate-files", "overwrite"])
        let download = try server.connect(receiveBuffer: 4096)
        try download.send(HTTPRequest.bytes("GET", "/big"))
        #expect(try download.readReplyHead().status == 200)
        let upload = try server.connect()
        try upload.send(HTTPRequest.bytes("PUT", "/f", [("Content-Length", "3"), ("Expect", "100-continue")]))
        #expect(try upload.readReplyHead().status == 100)
        try mount.unmount()
        // It replaces a file, under a lock that would have to be made anew.
        try upload.send("new")
        #expect(try upload.readReply().status == 503)
        // What is on its way goes on.
        #expect(try isSame(download.read(6_000_000), noise(6_000_000)))
        try self.expectAway(server)
        #expect(outer.allFiles.isEmpty && outer.names("drop").isEmpty)
        try mount.mount()
        try outer.write("drop/f", "again")
        try self.expectServed(server, "again")
        #expect(try server.stop() == 0)
    }

    @Test("on a disk that becomes read-only all is read and nothing is written, until it is writable again", .mounts)
    func readOnly() throws {
        let outer = try TemporaryFolder()
        let mount = try SmallMount(outer, options: "size=8m")
        try outer.write("drop/f", "old")
        let server = try ServerProcess(mount.path, ["--on-duplicate-files", "overwrite"])
        // What has been answered has nothing open any more that would hinder it.
        for size in [3, 300_000] {
            for _ in 0..<10 {
                #expect(try server.put("/f", noise(size)).status == 204)
                try mount.remount("ro")
                try mount.remount("rw")
            }
        }
        #expect(try server.put("/f", bytes("new")).status == 204)
        try mount.remount("ro")
        for target in ["/f", "/g"] {
            for size in [10, 300_000] {
                let reply = try server.put(target, noise(size))
                #expect(reply.status == 403 && reply.text.contains("read-only"), "\(target) \(size): \(reply.status)")
                #expect(try server.post(.one(String(target.dropFirst()), noise(size))).status == 403, "\(target) \(size)")
            }
        }
        #expect(try server.ask("DELETE", "/f").status == 403)
        #expect(try server.get("/f").text == "new")
        #expect(try server.listing().map(\.name) == ["f"])
        try mount.remount("rw")
        #expect(try server.put("/f", bytes("newer")).status == 204)
        #expect(try server.post(.one("g", noise(300_000))).status == 201)
        #expect(try server.ask("DELETE", "/g").status == 204)
        #expect(try server.get("/f").text == "newer")
        #expect(try server.stop() == 0)
    }
}
