import TestSupport
import Testing
import UVServer

@testable import FileDrop

@Suite("A file server in another program") struct FileServerTests {
    private static func configuration(_ folder: TemporaryFolder) -> Configuration {
        Configuration(folder: folder.path(of: "."), port: 0, binds: ["127.0.0.1"], quiet: true)
    }

    @Test(
        "says what to do where it cannot listen",
        arguments: [
            (-13, "--port"), (-1, "CAP_NET_BIND_SERVICE"), (-98, "Stop the other program"), (-99, "--bind"),
            (-5, "bind: i/o"),
        ])
    func refusals(_ code: Int32, _ words: String) {
        let error = FileServerError.cannotListen(address: "0.0.0.0", port: 80, cause: UVError(code: code, call: "bind"))
        #expect(error.description.contains(words), "\(error)")
    }

    @Test("serves as soon as start returns, and refuses connections after stop")
    func life() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.txt", "hello")
        let server = await FileServer(Self.configuration(folder))
        try await server.start()
        let port = await server.port
        let client = try RawClient(port: port)
        try client.send("GET /a.txt HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readReply().text == "hello")
        #expect(await server.addresses.map(\.port) == [port])
        await server.stop()
        #expect(try client.readToEnd().isEmpty)
        #expect(await server.addresses.isEmpty)
        #expect(throws: (any Error).self) { _ = try RawClient(port: port) }
    }

    @Test("of which there are two in one process serves its own folder each")
    func two() async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        for (index, folder) in folders.enumerated() { try folder.write("a.txt", "\(index)") }
        let servers = [await FileServer(Self.configuration(folders[0])), await FileServer(Self.configuration(folders[1]))]
        for server in servers { try await server.start() }
        for (index, server) in servers.enumerated() {
            let client = try RawClient(port: await server.port)
            try client.send("GET /a.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(try client.readReply().text == "\(index)")
        }
        for server in servers { await server.stop() }
    }

    @Test("says in one line why it does not start")
    func failures() async throws {
        let folder = try TemporaryFolder()
        try folder.write("file", "x")
        let first = await FileServer(Self.configuration(folder))
        try await first.start()
        var taken = Self.configuration(folder)
        taken.port = await first.port
        var missing = Self.configuration(folder)
        missing.folder = folder.path(of: "no")
        var file = Self.configuration(folder)
        file.folder = folder.path(of: "file")
        var name = Self.configuration(folder)
        name.binds = ["not-an-address"]
        for (configuration, words) in [
            (taken, "Port \(taken.port) is in use"), (missing, "There is no folder"), (file, "is not a folder"),
            (name, "not-an-address is not an IP address"),
        ] {
            let server = await FileServer(configuration)
            let error = await #expect(throws: FileServerError.self) { try await server.start() }
            let text = error?.description ?? ""
            #expect(text.contains(words), "\(text)")
            #expect(!text.contains("\n"))
        }
        await first.stop()
    }

    @Test("that is stopped, once or more, while it starts listens nowhere afterwards, and can be started again")
    func stoppedStart() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.txt", "hello")
        for stops in 1...3 {
            let server = await FileServer(Self.configuration(folder))
            let start = EventLoop.spawn {
                do { try await server.start() } catch { Issue.record("\(error)") }
            }
            // The task has begun, and waits for its folder, when this one comes back from the loop.
            await EventLoop.spawn {}.value
            for _ in 0..<stops { await server.stop() }
            await start.value
            let port = await server.port
            #expect(port == 0 || (try? RawClient(port: port)) == nil)
            try await server.start()
            let client = try RawClient(port: await server.port)
            try client.send("GET /a.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(try client.readReply().text == "hello")
            await server.stop()
        }
    }

    @Test("serves sockets that it is given, and nobody listens at them once it has ended or could not start")
    func given() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.txt", "hello")
        let address = try #require(SocketAddress(host: "127.0.0.1", port: 0))
        let sockets = try await ListeningSocket.group(address, count: 2)
        let port = await sockets[0].address.port
        let server = await FileServer(Self.configuration(folder))
        try await server.start(on: sockets)
        #expect(await server.port == port)
        #expect(await server.addresses.count == 2)
        for _ in 0..<10 {
            let client = try RawClient(port: port)
            try client.send("GET /a.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(try client.readReply().text == "hello")
        }
        await server.stop()
        #expect(throws: (any Error).self) { _ = try RawClient(port: port) }
        var missing = Self.configuration(folder)
        missing.folder = folder.path(of: "no")
        let failing = await FileServer(missing)
        let unused = try await ListeningSocket(address)
        let unusedPort = await unused.address.port
        await #expect(throws: FileServerError.self) { try await failing.start(on: [unused]) }
        // One that cannot listen any more fails when its address is known already.
        let late = await FileServer(Self.configuration(folder))
        let closed = try await ListeningSocket(address)
        await closed.close()
        await #expect(throws: FileServerError.self) { try await late.start(on: [closed]) }
        #expect(await late.addresses.isEmpty)
        #expect(throws: (any Error).self) { _ = try RawClient(port: unusedPort) }
    }
}
