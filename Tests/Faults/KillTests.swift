import Glibc
import TestSupport
import Testing

@Suite("after the server was killed", .serialized, .timeLimit(.minutes(5)))
struct KillTests {
    @Test("what was answered with success is there whole, nothing partial has a name, and the next server sweeps the rest")
    func server() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("sub")
        var ledger = Ledger()
        for seed in 301...312 {
            var random = SeededGenerator(seed: UInt64(seed))
            let overwrites = Bool.random(using: &random)
            let policy = ["--on-duplicate-files", overwrites ? "overwrite" : "rename", "--quiet"]
            let server = try ServerProcess(folder.path, policy)
            // What the one before has left is gone.
            #expect(FolderContents.names(in: folder.path) == Set(FolderContents.visible(in: folder.path).keys), "seed \(seed)")
            let traffic = Traffic(port: server.port, seed: seed, overwrites: overwrites, folders: ["", "sub/"], after: ledger)
            let (before, answers) = (ledger.acknowledged, Int.random(in: 5...100, using: &random))
            try traffic.run { $0.ledger.acknowledged - before < answers }
            try server.kill()
            traffic.drain(within: 2)
            #expect(traffic.surprises.isEmpty, "seed \(seed): \(traffic.surprises)")
            ledger = traffic.ledger
            ledger.end()
            let faults = ledger.faults(in: FolderContents.visible(in: folder.path))
            #expect(faults.isEmpty, "seed \(seed): \(faults) of \(ledger.acknowledged)")
        }
    }

    @Test("the others go on where a worker was killed, and nothing that was answered with success is missing", .severalWorkers)
    func worker() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--on-duplicate-files", "overwrite", "--quiet"])
        var ledger = Ledger()
        for seed in 401...404 {
            let traffic = Traffic(port: server.port, seed: seed, overwrites: true, folders: [""], after: ledger)
            let before = ledger.acknowledged
            try traffic.run { $0.ledger.acknowledged - before < 20 }
            let victim = try #require(server.serving.randomElement())
            kill(victim, SIGKILL)
            let now = traffic.ledger.acknowledged
            try traffic.run { $0.ledger.acknowledged - now < 20 }
            traffic.drain(within: Double(patienceSeconds))
            #expect(traffic.surprises.isEmpty, "seed \(seed): \(traffic.surprises)")
            ledger = traffic.ledger
            ledger.end()
            let faults = ledger.faults(in: FolderContents.visible(in: folder.path))
            #expect(faults.isEmpty, "seed \(seed): \(faults) of \(ledger.acknowledged)")
            #expect(eventually { server.serving.count == ServerProcess.workers && !server.serving.contains(victim) })
        }
        #expect(try server.stop() == 0)
        #expect(FolderContents.names(in: folder.path) == Set(FolderContents.visible(in: folder.path).keys))
    }

    /// A file system that knows no files without a name, as far as a server can tell.
    private func withoutUnnamedFiles(_ processes: [Int32]) throws -> Strace {
        // Of all files only unnamed ones are opened as `.`.
        try Strace(processes, ["-P", ".", "-e", "trace=openat", "-e", "inject=openat:error=EOPNOTSUPP"])
    }

    /// An upload that has arrived in part and has a hidden name.
    private func half(_ name: String, _ content: Content, _ server: ServerProcess, _ folder: TemporaryFolder) throws -> RawClient
    {
        let hidden = folder.names(".uvdrop").count
        let client = try server.connect()
        let request = HTTPRequest.bytes("PUT", "/\(name)", body: content.bytes)
        try client.send(request.dropLast(1000))
        #expect(eventually { folder.names(".uvdrop").count == hidden + 1 }, "\(folder.names(".uvdrop"))")
        return client
    }

    private static let content = Content(number: 500, size: 200_000)

    @Test("hidden names, which unfinished uploads have where no file can be without a name, are swept by the next one", .traces)
    func hiddenNames() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--quiet"])
        let strace = try self.withoutUnnamedFiles(server.serving)
        let clients = try (0..<4).map { try self.half("new-\($0)", Self.content, server, folder) }
        _ = try strace.detach()
        try server.kill()
        #expect(folder.names(".uvdrop").count { $0.hasSuffix(".part") } == 4)
        #expect(folder.visibleTexts.isEmpty)
        let next = try ServerProcess(folder.path)
        #expect(FolderContents.names(in: folder.path).isEmpty)
        #expect(try next.put("/new-0", Self.content.bytes).status == 201)
        #expect(folder.read("new-0") == Self.content.bytes)
        withExtendedLifetime(clients) {}
    }

    @Test(
        "a worker that takes the place of a killed one sweeps what that one has left, and nothing of the others", .severalWorkers,
        .traces)
    func sweptByWorker() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--quiet"])
        let strace = try self.withoutUnnamedFiles(server.serving)
        // So many that no worker has none.
        let clients = try (0..<16).map { try self.half("new-\($0)", Self.content, server, folder) }
        _ = try strace.detach()
        let victim = try #require(server.serving.first)
        let lost = server.openFiles(of: victim).count { $0.hasSuffix(".part") }
        try #require(lost > 0 && lost < clients.count)
        kill(victim, SIGKILL)
        let parts = { folder.names(".uvdrop").count { $0.hasSuffix(".part") } }
        #expect(eventually { parts() == clients.count - lost }, "\(parts()) of \(clients.count), \(lost) lost")
        var stored = 0
        for (index, client) in clients.enumerated() {
            client.sendIgnoringRefusal(Self.content.bytes.suffix(1000))
            guard let reply = try? client.readReply(to: "PUT") else { continue }
            #expect(reply.status == 201)
            #expect(folder.read("new-\(index)") == Self.content.bytes)
            stored += 1
        }
        #expect(stored == clients.count - lost)
        #expect(folder.visibleTexts.count == stored)
        #expect(eventually { parts() == 0 }, "\(folder.names(".uvdrop"))")
        #expect(try server.stop() == 0)
    }
}
