import Glibc
import TestSupport
import Testing

@Suite("starting and ending")
struct LifecycleTests {
    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Command {
        try Command.run(
            [ServerProcess.binary] + ServerProcess.workerOptions + arguments, environment: environment,
            within: Double(patienceSeconds))
    }

    @Test("it says who it is and where, at once, and ends with 0 when asked to", arguments: [15, 2] as [Int32])
    func startAndStop(signal: Int32) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--max-size", "7MB"])
        let text = server.child.outputText
        for part in ["uvdrop", folder.path, "Title: ", ":\(server.port)", server.url + "/"] {
            #expect(text.contains(part), "no \(part) in \(text)")
        }
        #expect(try server.isServing())
        server.child.signal(signal)
        #expect(try server.child.wait() == 0, "\(server.child.errorText)")
    }

    @Test("it says what it waits for when it is asked to end, and a second signal ends it at once")
    func patience() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--quiet"], environment: ["UVDROP_READONLY": "1"])
        let warning = "uvdrop: the variable UVDROP_READONLY means nothing here; did you mean UVDROP_READ_ONLY?\n"
        #expect(server.child.errorText == warning)
        let upload = try server.connect()
        try upload.send(HTTPRequest.bytes("PUT", "/half.bin", [("Content-Length", "5"), ("Expect", "100-continue")]))
        #expect(try upload.readReplyHead().status == 100)
        server.child.signal(15)
        #expect(eventually { server.child.errorText.contains("finishing 1 running request,") }, "\(server.child.errorText)")
        #expect(server.isRunning)
        server.child.signal(15)
        #expect(try server.child.wait() == 0)
        #expect(folder.visibleNames.isEmpty)
    }

    @Test("a variable that makes workers, set by chance, is not taken for one, and it says so")
    func straySupervisor() throws {
        let folder = try TemporaryFolder()
        let refused = try self.run([folder.path, "-p", "0"], environment: ["UVDROP_SUPERVISOR": "123"])
        #expect(refused.status == 2)
        #expect(
            refused.errorText == """
                uvdrop: the variable UVDROP_SUPERVISOR is for workers that uvdrop starts itself, and process 123 has not started \
                this one; unset it

                """)
        let server = try ServerProcess(folder.path, environment: ["UVDROP_SUPERVISOR": "me"])
        #expect(server.child.errorText == "uvdrop: the variable UVDROP_SUPERVISOR means nothing here\n")
    }

    @Test("a relative folder is refused where the working directory has gone, and an absolute one is served")
    func goneDirectory() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("gone")
        let shell = "cd '\(folder.path(of: "gone"))' && rmdir '\(folder.path(of: "gone"))'"
        let script = "\(shell) && exec \"$0\" \"$@\""
        let refused = try Command.run(
            ["sh", "-c", script, ServerProcess.binary, ".", "-p", "0"] + ServerProcess.workerOptions,
            within: Double(patienceSeconds))
        #expect(refused.status == 1 && refused.errorText.contains("absolute path"), "\(refused.status) \(refused.errorText)")
        let server = try ServerProcess(folder.path, after: shell)
        #expect(try server.put("/new", bytes("new")).status == 201)
    }

    @Test("a log that nobody reads does not keep it from ending")
    func stalledLog() throws {
        let folder = try TemporaryFolder()
        let path = "/" + String(repeating: "long", count: 60)
        // The shell gives it a pipe as standard error whose reader sleeps; the server's exit status comes by a file.
        let script = """
            exec 3>&1
            { "$0" "$1" -p 0 -b 127.0.0.1 & echo $! >&3; wait $!; echo "ended $?" >&3; } 2>&1 >&3 | sleep 1000 3>&-
            """
        let shell = try ChildProcess(["sh", "-c", script, ServerProcess.binary, folder.path])
        #expect(eventually { shell.outputText.contains("http://127.0.0.1:") }, "\(shell.outputText) \(shell.errorText)")
        let digits = shell.outputText.split(separator: "127.0.0.1:").last?.prefix { $0.isNumber }
        let port = try #require(digits.flatMap { UInt16($0) })
        let process = try #require(shell.outputText.split(separator: "\n").first.flatMap { Int32($0) })
        for _ in 0..<500 {
            let client = try RawClient(port: port)
            try client.send(HTTPRequest.bytes("GET", path, [("Connection", "close")]))
            #expect(try client.readReply().status == 404)
            client.close()
        }
        kill(process, SIGTERM)
        #expect(eventually { shell.outputText.contains("ended 0") }, "\(shell.outputText)")
        shell.signal(SIGKILL)
    }

    @Test("A50 it starts again at once on the same port although clients were connected")
    func a50() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "x")
        var server = try ServerProcess(folder.path)
        let port = server.port
        for _ in 0..<3 {
            let idle = try server.connect()
            try idle.send(HTTPRequest.bytes("GET", "/a"))
            #expect(try isSame(idle.readReply().body, bytes("x")))
            let started = try server.connect()
            try started.send("GET /a HTTP/1.1\r\n")
            let fresh = try server.connect()
            // Which worker it has come to is not known, so an answer to somebody else would prove nothing.
            #expect(eventually { started.peerHasReadAll() })
            server.child.signal(15)
            #expect(eventually { server.child.errorText.contains("finishing 1 running request,") })
            try started.send("Host: 127.0.0.1\r\n\r\n")
            #expect(try isSame(started.readReply().body, bytes("x")))
            #expect(try server.child.wait() == 0)
            server = try ServerProcess(folder.path, port: port)
            #expect(server.port == port)
            #expect(try isSame(server.get("/a").body, bytes("x")))
            for client in [idle, started, fresh] { client.close() }
        }
    }

    @Test("what hinders the start is one clear line and exit status 1")
    func cannotStart() throws {
        let folder = try TemporaryFolder()
        try folder.write("file", "x")
        let server = try ServerProcess(folder.path)
        for (arguments, word) in [
            ([folder.path, "--port", String(server.port), "--bind", "127.0.0.1"], String(server.port)),
            ([folder.path(of: "missing"), "--port", "0"], "missing"), ([folder.path(of: "file"), "--port", "0"], "file"),
            ([folder.path, "--port", "0", "--bind", "192.0.2.1"], "192.0.2.1"),
        ] {
            let run = try self.run(arguments)
            #expect(run.status == 1, "\(arguments): \(run.status)")
            #expect(run.errorText.contains(word), "\(run.errorText)")
            #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
            #expect(!run.text.contains("http://"), "\(run.text)")
        }
        #expect(try server.isServing())
    }

    @Test("wrong usage is exit status 2 with help")
    func usage() throws {
        let folder = try TemporaryFolder()
        let nothing = try self.run([])
        #expect(nothing.status == 2 && nothing.errorText.contains("uvdrop "), "\(nothing.errorText)")
        for (arguments, word) in [
            (["--prot", "80"], "--port"), (["--read-olny"], "--read-only"), (["--port", "99999"], "99999"),
            (["--port", "-1"], "-1"), (["--port", "x"], "x"), (["--port"], "--port"),
            (["--max-size", "lots"], "lots"), (["--max-size", "99999999999999999999GB"], "--max-size"),
            (["--on-duplicate-files", "maybe"], "rename"), (["--durability", "some"], "full"),
            (["--log-format", "xml"], "json"), ([folder.path], ""),
        ] {
            let run = try self.run([folder.path] + arguments)
            #expect(run.status == 2, "\(arguments): \(run.status) \(run.errorText)")
            #expect(run.errorText.contains(word) && !run.errorText.isEmpty, "\(arguments): \(run.errorText)")
        }
    }

    @Test("help and version are answered on stdout")
    func help() throws {
        for option in ["-h", "--help"] {
            let run = try self.run([option])
            #expect(run.status == 0)
            for word in ["--port", "--bind", "--max-size", "--on-duplicate-files", "--read-only", "--durability", "--quiet"] {
                #expect(run.text.contains(word), "\(word)")
            }
        }
        for option in ["-V", "--version"] {
            let run = try self.run([option])
            #expect(run.status == 0 && run.text.contains("uvdrop"))
        }
    }

    @Test("options come from the environment too, and the command line wins")
    func environment() throws {
        let folder = try TemporaryFolder()
        let titled = try ServerProcess(
            folder.path, environment: ["UVDROP_TITLE": "From outside", "UVDROP_MAX_SIZE": "10", "UVDROP_PORT": "1"])
        #expect(contains(try titled.get("/", [("Accept", browserAccept)]).body, "From outside"))
        #expect(try titled.put("/a", [UInt8](repeating: 1, count: 11)).status == 413)
        #expect(try titled.put("/a", [UInt8](repeating: 1, count: 10)).status == 201)
        let both = try ServerProcess(folder.path, ["--title", "Inside"], environment: ["UVDROP_TITLE": "From outside"])
        #expect(contains(try both.get("/", [("Accept", browserAccept)]).body, "Inside"))
    }

    @Test("each request is one line on stderr, and --quiet keeps only the start-up lines")
    func logging() throws {
        let folder = try TemporaryFolder()
        try folder.write("logged.txt", "12345")
        let server = try ServerProcess(folder.path)
        #expect(try server.get("/logged.txt").status == 200)
        #expect(try server.get("/missing%0A200").status >= 400)
        #expect(
            eventually { server.child.errorText.contains("logged.txt") && server.child.errorText.contains("missing") },
            "\(server.child.errorText)")
        let lines = server.child.errorText.split(separator: "\n").filter { $0.contains("logged.txt") }
        #expect(lines.count == 1)
        let words = try #require(lines.first).split(separator: " ").map { String($0) }
        #expect(words.count == 7 && words[0].hasSuffix("Z") && words[6].hasSuffix("ms"), "\(words)")
        #expect(words.dropFirst().dropLast() == ["127.0.0.1", "GET", "/logged.txt", "200", "5"])
        // A download that the client breaks off is told with the bytes that went out.
        #expect(try Command.run(["truncate", "-s", "50M", folder.path(of: "big.bin")]).status == 0)
        let leaving = try server.connect(receiveBuffer: 4096)
        try leaving.send(HTTPRequest.bytes("GET", "/big.bin"))
        try leaving.skip(100_000)
        leaving.reset()
        #expect(eventually { server.child.errorText.contains("/big.bin") }, "\(server.child.errorText)")
        let big = server.child.errorText.split(separator: "\n").first { $0.contains("/big.bin") }?.split(separator: " ") ?? []
        #expect(big.last == "aborted" && big.count == 8, "\(big)")
        #expect(big.count > 5 && (100_000..<(50 << 20)).contains(Int(big[5]) ?? 0), "\(big)")
        // As much as was understood of what was refused.
        let refused = try server.connect()
        try refused.send("PUT /unframed HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 2\r\n\r\n")
        #expect(try refused.readReply().status == 400)
        let hostless = try server.connect()
        try hostless.send("GET /hostless HTTP/1.1\r\n\r\n")
        #expect(try hostless.readReply().status == 400)
        #expect(eventually { server.child.errorText.contains("PUT /unframed 400") }, "\(server.child.errorText)")
        #expect(eventually { server.child.errorText.contains("GET /hostless 400") }, "\(server.child.errorText)")
        try server.stop()
        let quiet = try ServerProcess(folder.path, ["--quiet"])
        #expect(try quiet.get("/logged.txt").status == 200)
        #expect(try quiet.stop() == 0)
        #expect(!quiet.child.errorText.contains("logged.txt"))
        let json = try ServerProcess(folder.path, ["--log-format", "json"])
        #expect(try json.get("/logged.txt").status == 200)
        #expect(eventually { json.child.errorText.contains("logged.txt") })
        #expect(
            json.child.errorText.split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") },
            "\(json.child.errorText)")
    }
}
