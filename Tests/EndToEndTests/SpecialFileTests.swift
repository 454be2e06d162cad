import TestSupport
import Testing

@Suite("pipes, sockets and devices")
struct SpecialFileTests {
    /// One of each kind that this process may make, and a link to each.
    private func fill(_ folder: TemporaryFolder) throws -> [String] {
        try folder.makePipe("pipe")
        try folder.makeSocket("socket")
        var names = ["pipe", "socket"]
        if folder.makeDevice("zeros") { names.append("zeros") }
        for name in names { try folder.makeLink("to-\(name)", to: name) }
        try folder.makeLink("to-zero", to: "/dev/zero")
        return names + names.map { "to-\($0)" } + ["to-zero"]
    }

    @Test("are neither listed, served, deleted nor written to, and hold nobody up", arguments: ["rename", "overwrite", "error"])
    func table(policy: String) throws {
        let folder = try TemporaryFolder()
        let names = try self.fill(folder)
        try folder.write("file", "x")
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", policy])
        for target in ["/", "/?json", "/?json&limit=1"] {
            let reply = try server.get(target, [("Accept", browserAccept)])
            #expect(reply.status == 200 && contains(reply.body, "file"), "\(target)")
            for name in names { #expect(!contains(reply.body, name), "\(name) in \(target)") }
        }
        for name in names {
            // Three times: what is asked for again is answered another way.
            for _ in 0..<3 {
                #expect(try server.get("/" + name).status == 404, "\(name)")
                #expect(try server.ask("HEAD", "/" + name).status == 404, "\(name)")
            }
            #expect(try server.get("/\(name)/").status == 404 && server.get("/\(name)/x").status == 404, "\(name)")
            #expect(try server.get("/" + name, [("Range", "bytes=0-9")]).status == 404, "\(name)")
            #expect(try server.get("/" + name, [("If-None-Match", "*")]).status == 404, "\(name)")
            #expect(try server.put("/\(name)/x", bytes("x")).status == 409, "\(name)")
            // What is there but no folder takes no form; what lies outside is not there.
            #expect(try server.post(.one("x", "x"), to: "/\(name)/").status == (name == "to-zero" ? 404 : 405), "\(name)")
        }
        for name in names where !name.hasPrefix("to-") {
            #expect(try server.ask("DELETE", "/" + name).status == 404, "\(name)")
            #expect(try server.ask("POST", "/delete/" + name, body: []).status == 404, "\(name)")
            #expect(try server.get("/delete/" + name, [("User-Agent", "curl/8.5.0")]).status == 404, "\(name)")
            #expect(try server.put("/" + name, bytes("x")).status == 409, "\(name)")
            #expect(try server.put("/" + name, bytes("x"), [("If-Match", "*")]).status == 412, "\(name)")
            let form = try server.post(.one(name, "x"))
            #expect(form.status == (policy == "rename" ? 201 : 409), "\(name): \(form.text)")
            if policy == "rename" { #expect(try form.stored.first?.name == "\(name) (1)") }
        }
        #expect(names.allSatisfy { folder.exists($0) && folder.read("file") == bytes("x") })
        #expect(try server.isServing())
    }

    @Test("that take the place of a file that was just served are not served in its stead")
    func replaced() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        for kind in ["pipe", "socket", "device", "link"] {
            try folder.write("x", "before")
            for _ in 0..<3 { #expect(try server.get("/x").text == "before", "\(kind)") }
            folder.remove("x")
            switch kind {
            case "pipe": try folder.makePipe("x")
            case "socket": try folder.makeSocket("x")
            case "device": guard folder.makeDevice("x") else { continue }
            default: try folder.makeLink("x", to: "/etc/passwd")
            }
            for _ in 0..<3 { #expect(try server.get("/x").status == 404, "\(kind)") }
            folder.remove("x")
        }
    }
}
