import TestSupport
import Testing

/// A kernel without openat2(2), or a sandbox that forbids it, as far as the server can tell.
@Suite("without openat2", .traces)
struct WithoutOpenat2Tests {
    @Test("no spelling of a path and no link leaves the folder or reaches hidden names, and all else is served")
    func paths() throws {
        let outer = try TemporaryFolder()
        try HostilePaths.fill(outer)
        let log = try TemporaryFolder()
        let server = try ServerProcess(
            outer.path(of: "DROP"), ["--quiet", "--on-duplicate-files", "overwrite"],
            under: [
                "strace", "-D", "-f", "-qq", "--seccomp-bpf", "-o", log.path(of: "log"), "-e", "trace=openat2", "-e",
                "inject=openat2:error=ENOSYS",
            ])
        #expect(try server.get("/in.txt").text == "inside" && server.get("/inside.txt").text == "own")
        let before = outer.allFiles
        for (method, target, status) in HostilePaths.requests {
            let reply = try server.ask(method, target, HostilePaths.fields, body: ["PUT", "POST"].contains(method) ? [] : nil)
            #expect(reply.status == status, "\(method) \(target): \(reply.status)")
            #expect(!reply.text.contains("SECRET") && !reply.text.contains("root:"), "\(method) \(target)")
        }
        for target in HostilePaths.linksOut {
            for method in ["GET", "HEAD"] { #expect(try server.ask(method, target).status == 404, "\(method) \(target)") }
        }
        #expect(try server.put("/dir/new.txt", [1]).status == 409)
        #expect(try server.ask("DELETE", "/dir/x").status == 404)
        #expect(outer.allFiles == before)
        // To replace a link is to replace the link.
        #expect(try server.put("/up.txt", [1]).status == 204)
        #expect(!outer.isLink("DROP/up.txt") && outer.text("target.txt") == "SECRET")
        #expect(try server.put("/sub/new.txt", [2]).status == 201 && outer.read("DROP/sub/new.txt") == [2])
        #expect(try server.ask("DELETE", "/sub/new.txt").status == 204 && !outer.exists("DROP/sub/new.txt"))
        #expect(try server.stop() == 0)

        let calls = (log.text("log") ?? "").split(separator: "\n").filter {
            $0.contains("openat2(") || $0.contains("openat2 resumed")
        }
        let failed = calls.count { $0.hasSuffix("(INJECTED)") }
        // At least one for each request whose path is one.
        #expect(
            failed > 50 && !calls.contains { $0.contains(") = ") && !$0.hasSuffix("(INJECTED)") }, "\(failed) of \(calls.count)")
    }
}
