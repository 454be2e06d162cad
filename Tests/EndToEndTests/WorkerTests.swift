import Glibc
import TestSupport
import Testing

@Suite("several workers", .severalWorkers)
struct WorkerTests {
    /// A connection that is open, and the worker that has it.
    private struct Client {
        let connection: RawClient
        let worker: Int32
    }

    /// How many sockets each worker has open.
    private func sockets(_ server: ServerProcess) -> [Int32: Int] {
        var counts: [Int32: Int] = [:]
        for worker in server.serving { counts[worker] = server.openFiles(of: worker).count { $0.hasPrefix("socket:") } }
        return counts
    }

    /// One connection for each worker, which has had an answer on it.
    private func clients(_ server: ServerProcess) throws -> [Client] {
        var clients: [Client] = []
        // All stay open meanwhile: one that is being closed would be counted by chance.
        var all: [RawClient] = []
        for _ in 0..<200 where clients.count < ServerProcess.workers {
            let before = self.sockets(server)
            let connection = try server.connect()
            all.append(connection)
            try connection.send(HTTPRequest.bytes("GET", "/"))
            #expect(try connection.readReply().status == 200)
            let worker = try #require(self.sockets(server).first { before[$0.key] != $0.value }?.key)
            if !clients.contains(where: { $0.worker == worker }) {
                clients.append(Client(connection: connection, worker: worker))
            }
        }
        try #require(clients.count == ServerProcess.workers, "one worker gets no clients")
        withExtendedLifetime(all) {}
        return clients
    }

    /// Whether the process is there and no mere remainder.
    private func isAlive(_ process: Int32) -> Bool {
        guard let status = FileBytes.read("/proc/\(process)/stat") else { return false }
        return !contains(status, ") Z ")
    }

    /// Whether no thread of the process runs until it is told to go on.
    private func isStopped(_ process: Int32) -> Bool {
        FileBytes.names(in: "/proc/\(process)/task").allSatisfy { thread in
            let status = FileBytes.read("/proc/\(process)/task/\(String(decoding: thread, as: UTF8.self))/stat")
            return status.map { contains($0, ") T ") } ?? false
        }
    }

    /// The workers once there are as many as there should be, and none of them is `gone`.
    private func workers(_ server: ServerProcess, without gone: Int32) throws -> [Int32] {
        #expect(eventually { server.serving.count == ServerProcess.workers && !server.serving.contains(gone) })
        return server.serving
    }

    @Test("say once what they serve, and are processes of their own with the same name")
    func start() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, environment: ["UVDROP_NONSENSE": "x"])
        #expect(server.serving.count == ServerProcess.workers && !server.serving.contains(server.child.processID))
        #expect(server.child.outputText.split(separator: "\n").count { $0.hasPrefix("uvdrop ") } == 1)
        #expect(server.child.errorText.split(separator: "\n").count == 1, "\(server.child.errorText)")
        for worker in server.serving {
            #expect(FileBytes.read("/proc/\(worker)/comm") == bytes("uvdrop\n"))
            // Ctrl-C at a terminal goes to the supervisor alone.
            #expect(getsid(worker) == worker)
        }
        _ = try self.clients(server)
    }

    @Test("are as many as there are processors that they may run on, when that is asked for; a single one needs no supervisor")
    func auto() throws {
        let folder = try TemporaryFolder()
        let one = try ServerProcess(folder.path, ["--workers", "auto"], after: "taskset -cp 0 $$ > /dev/null")
        #expect(one.serving == [one.child.processID])
        #expect(try one.isServing())
        let processors = try Command.run(["nproc"]).text
        let all = try ServerProcess(folder.path, environment: ["UVDROP_WORKERS": "auto"], workerOptions: [])
        #expect("\(all.serving.count)\n" == processors)
    }

    @Test("see at once what another has stored, replaced and deleted")
    func shared() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        let clients = try self.clients(server).map(\.connection)
        for round in 0..<20 {
            for (index, writer) in clients.enumerated() {
                let content = noise(10_000, seed: UInt64(round * 10 + index + 1))
                try writer.send(HTTPRequest.bytes("PUT", "/\(round)-\(index)", body: content))
                #expect(try writer.readReply(to: "PUT").status == 201)
                var tag = ""
                for reader in clients {
                    try reader.send(HTTPRequest.bytes("GET", "/\(round)-\(index)"))
                    let reply = try reader.readReply()
                    #expect(isSame(reply.body, content))
                    tag = reply["etag"] ?? "none"
                }
                let last = try #require(clients.last)
                try last.send(HTTPRequest.bytes("PUT", "/\(round)-\(index)", [("If-Match", tag)], body: bytes("new")))
                #expect(try last.readReply(to: "PUT").status == 204)
                try writer.send(HTTPRequest.bytes("GET", "/\(round)-\(index)"))
                #expect(try isSame(writer.readReply().body, bytes("new")))
                try writer.send(HTTPRequest.bytes("DELETE", "/\(round)-\(index)"))
                #expect(try writer.readReply(to: "DELETE").status == 204)
                for reader in clients {
                    try reader.send(HTTPRequest.bytes("GET", "/?json"))
                    #expect(try reader.readReply().listing.files.isEmpty)
                }
            }
        }
    }

    @Test("never answer again what another has replaced or deleted since")
    func fresh() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--durability", "none", "--on-duplicate-files", "overwrite", "--quiet"])
        let clients = try self.clients(server).map(\.connection)
        func get(_ client: RawClient) throws -> HTTPReply {
            try client.send(HTTPRequest.bytes("GET", "/same"))
            return try client.readReply()
        }
        for round in 0..<300 {
            let writer = clients[round % clients.count]
            let content = bytes("round \(round)")
            try writer.send(HTTPRequest.bytes("PUT", "/same", body: content))
            #expect(try [201, 204].contains(writer.readReply(to: "PUT").status))
            // Whoever is asked for the same again may remember it.
            for _ in 0..<3 {
                for reader in clients { #expect(try isSame(get(reader).body, content), "\(round)") }
            }
            guard round % 3 == 0 else { continue }
            try writer.send(HTTPRequest.bytes("DELETE", "/same"))
            #expect(try writer.readReply(to: "DELETE").status == 204)
            for reader in clients { #expect(try get(reader).status == 404, "\(round)") }
        }
    }

    @Test("are replaced when they are killed; who waits in their queue is answered, and the others are not touched")
    func killed() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "x")
        let server = try ServerProcess(folder.path)
        let clients = try self.clients(server)
        let upload = HTTPRequest.bytes("PUT", "/half", [("Content-Length", "10"), ("Expect", "100-continue")])
        for client in clients {
            try client.connection.send(upload)
            #expect(try client.connection.readReplyHead().status == 100)
        }
        let victim = clients[0].worker
        // It takes nobody from its queue any more.
        kill(victim, SIGSTOP)
        #expect(eventually { self.isStopped(victim) })
        let waiting = try (0..<40).map { _ in try server.connect() }
        for client in waiting { try client.send(HTTPRequest.bytes("GET", "/a", [("Connection", "close")])) }
        kill(victim, SIGKILL)
        let killed = monotonicSeconds()
        for client in waiting { #expect(try isSame(client.readReply().body, bytes("x"))) }
        #expect(monotonicSeconds() - killed < 5)
        let now = try self.workers(server, without: victim)
        #expect(Set(now).intersection(clients.map(\.worker)).count == ServerProcess.workers - 1)
        for client in clients.dropFirst() {
            try client.connection.send(bytes("0123456789"))
            #expect(try client.connection.readReply(to: "PUT").status == 201)
        }
        #expect(server.child.errorText.contains("was ended by signal 9; another takes its place"), "\(server.child.errorText)")
        #expect(folder.visibleTexts == ["a", "half"])
        #expect(try server.stop() == 0)
    }

    @Test("that die again and again are replaced later and later")
    func backingOff() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        let others = server.serving.dropFirst()
        var victim = try #require(server.serving.first)
        for (signal, delay) in [
            (SIGKILL, "another takes its place\n"), (SIGSEGV, "in 0.125 seconds\n"), (SIGILL, "in 0.25 seconds\n"),
        ] {
            kill(victim, signal)
            #expect(eventually { server.child.errorText.hasSuffix(delay) }, "\(server.child.errorText)")
            let now = try self.workers(server, without: victim)
            #expect(others.allSatisfy { now.contains($0) })
            victim = try #require(now.first { !others.contains($0) })
        }
        kill(victim, SIGKILL)
        #expect(eventually { server.child.errorText.hasSuffix("in 0.5 seconds\n") }, "\(server.child.errorText)")
        // Nor does it hold up the end.
        #expect(try server.stop() == 0)
    }

    @Test("end with their supervisor, however it ends", arguments: [SIGKILL, SIGUSR1, SIGHUP])
    func orphans(signal: Int32) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        let clients = try self.clients(server)
        let workers = server.serving
        server.child.signal(signal)
        #expect(try server.child.wait() == -Int(signal))
        #expect(eventually { !workers.contains(where: self.isAlive) })
        for client in clients { #expect(try client.connection.endsCleanly()) }
        let next = try ServerProcess(folder.path, port: server.port)
        #expect(try next.isServing())
    }

    @Test("finish what they do when a service manager asks all processes at once to end")
    func group() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        let clients = try self.clients(server)
        for (index, client) in clients.enumerated() {
            try client.connection.send(
                HTTPRequest.bytes("PUT", "/\(index)", [("Content-Length", "10"), ("Expect", "100-continue")]))
            #expect(try client.connection.readReplyHead().status == 100)
        }
        for process in server.serving + [server.child.processID] { kill(process, SIGTERM) }
        let words = "finishing \(clients.count) running requests"
        #expect(eventually { server.child.errorText.contains(words) }, "\(server.child.errorText)")
        for client in clients {
            try client.connection.send(bytes("0123456789"))
            #expect(try client.connection.readReply(to: "PUT").status == 201)
        }
        #expect(try server.child.wait() == 0)
        #expect(server.child.errorText.split(separator: "\n").count { $0.contains("finishing") } == 1)
    }

    @Test("write whole lines to one log")
    func log() throws {
        let folder = try TemporaryFolder()
        let shell = """
            { "$0" "$@" & echo $! >&3; wait $!; } 3>&1 2>&1 >&4 | cat >&2
            """
        let child = try ChildProcess(
            ["sh", "-c", "exec 4>&1; \(shell)", ServerProcess.binary, folder.path, "-p", "0", "-b", "127.0.0.1"]
                + ServerProcess.workerOptions)
        #expect(eventually { child.outputText.contains("http://127.0.0.1:") }, "\(child.outputText) \(child.errorText)")
        let digits = child.outputText.split(separator: "127.0.0.1:").last?.prefix { $0.isNumber }
        let port = try #require(digits.flatMap { UInt16($0) })
        let process = try #require(child.errorText.split(separator: "\n").first.flatMap { Int32($0) })
        let path = "/" + [String](repeating: String(repeating: "p", count: 200), count: 8).joined(separator: "/")
        let clients = try (0..<16).map { _ in try RawClient(port: port) }
        for _ in 0..<10 {
            for client in clients { try client.send([UInt8](repeatElement(HTTPRequest.bytes("GET", path), count: 8).joined())) }
            for client in clients {
                for _ in 0..<8 { #expect(try client.readReply().status == 404) }
            }
        }
        let expected = 16 * 10 * 8
        #expect(eventually { child.errorText.split(separator: "\n").count == expected + 1 })
        for line in child.errorText.split(separator: "\n").dropFirst() {
            #expect(line.hasPrefix("20") && line.hasSuffix("ms") && line.contains(" 127.0.0.1 GET \(path) 404 "), "\(line)")
        }
        kill(process, SIGTERM)
        #expect(try child.wait() == 0)
    }
}
