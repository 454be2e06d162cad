import CFaults
import Glibc
import TestSupport
import Testing

/// Somebody has the lock of every name, and the server cannot even ask for it.
@Suite("when a lock cannot be asked for", .traces) struct NameLockTests {
    @Test(
        "the answer says so, and nothing is replaced or deleted behind the back of who has it",
        arguments: ["ENFILE", "EMFILE", "ENOMEM", "EACCES"])
    func open(_ error: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("f", "old")
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite"])
        let tag = try #require(try server.get("/f")["etag"])
        let held = unsafe faults_lock_all(folder.path(of: ".uvdrop/names.lock"))
        try #require(held >= 0)
        // The lock file is reached by the descriptor that each process has of it.
        let paths = (3..<64).flatMap { ["-P", "/proc/self/fd/\($0)"] }
        let strace = try Strace(server.serving, ["-e", "trace=openat", "-e", "inject=openat:error=\(error)"] + paths)
        // Each worker has to be asked.
        for _ in 0..<(4 * ServerProcess.workers) {
            for reply in [
                try server.put("/f", Array("new".utf8), [("If-Match", tag)]), try server.put("/f", Array("new".utf8)),
                try server.post(.one("f", "new")), try server.ask("DELETE", "/f", [("If-Match", tag)]),
                try server.ask("DELETE", "/f"),
            ] {
                #expect(reply.status == (error == "EACCES" ? 403 : 500), "\(reply.status) \(reply.text)")
            }
        }
        #expect(folder.text("f") == "old")
        // Names that are new need no lock.
        #expect(try server.put("/new", Array("new".utf8), [("If-None-Match", "*")]).status == 201)
        _ = try strace.detach()
        close(held)
        #expect(try server.put("/f", Array("new".utf8), [("If-Match", tag)]).status == 204)
        #expect(folder.visibleTexts == ["f", "new"])
        #expect(try server.stop() == 0)
    }
}
