import TestSupport
import Testing

/// One after the other, every system call that changes something fails once, in each of four ways.
@Suite("when a system call fails", .traces, .serialized)
struct SystemCallTests {
    /// Calls that have nothing to do with storage, and two that do not fail in these ways: `close`, which the kernel does whatever it
    /// says, and `fcntl`, of which one in two gives a lock back. By `mmap` memory is taken, now and then.
    private static let others: Set<String> = [
        "accept4", "close", "epoll_ctl", "epoll_wait", "fcntl", "ioctl", "mmap", "read", "recvfrom", "sendfile", "sendto",
        "shutdown", "write", "writev",
    ]

    /// After a failure of these no request can have been done.
    private static let needed: Set<String> = [
        "fdatasync", "fsync", "link", "linkat", "pwrite64", "pwritev", "rename", "renameat", "renameat2", "unlink", "unlinkat",
    ]

    /// Whether the call need not come again: in how many pieces a body is written depends on how it arrives, and whether the folder is
    /// still in its place is asked with a request when it has not been asked for a while.
    private static func mayMiss(_ call: String, _ time: Int, of most: Int) -> Bool {
        switch call {
        case "pwrite64", "pwritev": time > 1
        case "newfstatat": time == most
        default: false
        }
    }

    @Test(
        "the answer says so, the folder is as it was, no descriptor stays open, and the next request succeeds",
        arguments: FailingRequest.all)
    func each(_ request: FailingRequest) throws {
        let folder = try TemporaryFolder()
        // With one pool thread there are few threads that count calls for themselves.
        let server = try ServerProcess(
            folder.path, ["--quiet"] + request.options, environment: ["UV_THREADPOOL_SIZE": "1"])
        let descriptors = server.descriptors
        let calls = try self.calls(of: request, server, folder)
        #expect(Set(calls.keys).isSuperset(of: request.expectedCalls), "\(calls)")
        var missed: [String] = []
        for (call, most) in calls {
            for error in ["ENOSPC", "EIO", "EDQUOT", "EMFILE"] {
                for time in 1...most where try !self.fails(call, error, time, request, server, folder) {
                    if !Self.mayMiss(call, time, of: most) { missed.append("\(call) \(time) of \(most)") }
                }
            }
        }
        #expect(missed.isEmpty, "calls that came once and not again")
        #expect(eventually { server.descriptors == descriptors }, "\(server.openFiles)")
        #expect(try server.stop() == 0)
    }

    /// The calls that the server makes for it, and how many of each one thread makes at most.
    private func calls(of request: FailingRequest, _ server: ServerProcess, _ folder: TemporaryFolder) throws -> [String: Int] {
        let strace = try Strace(server.serving, ["-e", "trace=%file,%desc"])
        try self.succeed(request, server, folder)
        var most: [String: Int] = [:]
        for (call, made) in Dictionary(grouping: try strace.detach().calls, by: { $0 })
        where !Self.others.contains(String(call.name)) {
            most[String(call.name), default: 0] = max(made.count, most[String(call.name)] ?? 0)
        }
        return most
    }

    private func succeed(_ request: FailingRequest, _ server: ServerProcess, _ folder: TemporaryFolder) throws {
        try request.prepare(folder)
        let reply = try request.send(to: server)
        try #require((200..<400).contains(reply.status), "\(request): \(reply.status) \(reply.text)")
        #expect(request.isDone(in: folder), "\(request)")
        try request.prepare(folder)
    }

    /// Lets the `time`th call of each thread fail.
    /// - Returns: whether there was any.
    private func fails(
        _ call: String, _ error: String, _ time: Int, _ request: FailingRequest, _ server: ServerProcess,
        _ folder: TemporaryFolder
    ) throws -> Bool {
        let label = "\(request): \(call) \(time) is \(error)"
        try request.prepare(folder)
        let before = FolderContents.all(in: folder.path)
        let log = server.child.errorText
        let strace = try Strace(server.serving, ["-e", "trace=\(call)", "-e", "inject=\(call):error=\(error):when=\(time)"])
        let reply = try request.send(to: server)
        let hasFailed = try strace.detach().injected > 0
        if (200..<400).contains(reply.status) {
            #expect(request.isDone(in: folder), "\(label): \(reply.status)")
            #expect(!hasFailed || !Self.needed.contains(call), "\(label): \(reply.status)")
        } else {
            #expect(hasFailed, "\(label): \(reply.status) \(reply.text)")
            let isFull = error == "ENOSPC" || error == "EDQUOT"
            // Looking for the folder takes no room, so whatever that fails with, the folder is not in its place.
            let ordinary = isFull ? 507 : 500
            let honest = call == "newfstatat" ? [503, ordinary] : [ordinary]
            #expect(honest.contains(reply.status), "\(label): \(reply.status) \(reply.text)")
            #expect(
                !reply.body.isEmpty && !reply.text.contains(error) && !reply.text.contains(folder.path), "\(label): \(reply.text)"
            )
            if reply.status == 500 {
                #expect(
                    eventually { server.child.errorText.dropFirst(log.count).contains("\n") }, "\(label): the log says nothing")
            }
            // What has been replaced or deleted does not come back when that cannot be made durable, or the folder is not found then.
            let isUnchanged = eventually(within: 1) { FolderContents.all(in: folder.path) == before }
            let mayBeDone = request.changesAtOnce && ["fsync", "newfstatat"].contains(call)
            #expect(isUnchanged || (mayBeDone && request.isDone(in: folder)), "\(label)")
        }
        try self.succeed(request, server, folder)
        return hasFailed
    }
}
