import Glibc
import TestSupport
import Testing

@Suite("ports and passed sockets")
struct PortTests {
    private func second(_ folder: TemporaryFolder, _ port: UInt16, _ options: [String]) throws -> ChildProcess {
        try ChildProcess([ServerProcess.binary, folder.path, "-p", String(port), "-b", "127.0.0.1"] + options)
    }

    @Test("a second server on a port says that it is in use", arguments: ["1", "2", "3"])
    func inUse(workers: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path)
        let second = try self.second(folder, server.port, ["--workers", workers])
        #expect(try second.wait() == 1)
        #expect(second.errorText.contains("Port \(server.port) is in use") && second.output.isEmpty, "\(second.errorText)")
        #expect(second.errorText.split(separator: "\n").count == 1)
        #expect(try server.isServing())
    }

    @Test("of two servers that start at the same time on one port, one does")
    func race() throws {
        let folder = try TemporaryFolder()
        for _ in 0..<10 {
            let port = try { () throws -> UInt16 in
                let first = try ServerProcess(folder.path)
                try first.stop()
                return first.port
            }()
            let rivals = try (0..<3).map { _ in try self.second(folder, port, ServerProcess.workerOptions) }
            #expect(eventually { rivals.count { $0.exitStatus == 1 } == 2 })
            let winner = try #require(rivals.first { $0.exitStatus == nil })
            #expect(eventually { winner.outputText.contains(":\(port)/") }, "\(winner.errorText)")
            winner.signal(SIGTERM)
            #expect(try winner.wait() == 0)
        }
    }

    /// A listening socket of 127.0.0.1, and its port.
    private func listening() throws -> (CInt, UInt16) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                unsafe bind(descriptor, raw, length) | listen(descriptor, 100) | getsockname(descriptor, raw, &length)
            }
        }
        try #require(result == 0)
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private let meant = "export LISTEN_PID=$$ LISTEN_FDS=1"

    @Test("sockets that it is started with are what it serves, and keep their queue when it is started again")
    func passed() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "x")
        let (socket, port) = try self.listening()
        defer { close(socket) }
        for round in 0..<2 {
            // It came before there was anybody to answer.
            let early = try RawClient(port: port)
            try early.send(HTTPRequest.bytes("GET", "/a"))
            let server = try ServerProcess(folder.path, port: 1, after: self.meant, descriptors: [socket])
            #expect(server.port == port, "round \(round): \(server.child.outputText)")
            #expect(try isSame(early.readReply().body, bytes("x")))
            #expect(try server.isServing())
            for process in server.serving {
                let variables = FileBytes.read("/proc/\(process)/environ") ?? []
                #expect(contains(variables, "LISTEN_PID=") == (ServerProcess.workers == 1))
            }
            #expect(try server.stop() == 0)
        }
    }

    @Test("who waits in the queue of a passed socket when it is stopped is answered, by the one that is stopped or by the next")
    func passedOn() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "x")
        let (socket, port) = try self.listening()
        defer { close(socket) }
        let server = try ServerProcess(folder.path, port: 1, after: self.meant, descriptors: [socket])
        #expect(try server.get("/a").text == "x")
        let serving = server.serving
        for process in serving { kill(process, SIGSTOP) }
        let clients = try (0..<20).map { _ in try RawClient(port: port) }
        for client in clients { try client.send(HTTPRequest.bytes("GET", "/a")) }
        server.child.signal(SIGTERM)
        for process in serving { kill(process, SIGCONT) }
        #expect(try server.child.wait() == 0, "\(server.child.errorText)")
        // Nobody listens now.
        let late = try (0..<5).map { _ in try RawClient(port: port) }
        let next = try ServerProcess(folder.path, port: 1, after: self.meant, descriptors: [socket])
        for client in late { try client.send(HTTPRequest.bytes("GET", "/a")) }
        for client in clients + late { #expect(try client.readReply().text == "x") }
        #expect(try next.stop() == 0)
    }

    @Test("sockets that were meant for another process are not touched")
    func foreign() throws {
        let folder = try TemporaryFolder()
        let (socket, port) = try self.listening()
        defer { close(socket) }
        let server = try ServerProcess(folder.path, after: "export LISTEN_PID=1 LISTEN_FDS=1", descriptors: [socket])
        #expect(server.port != port)
        #expect(try server.isServing())
    }

    @Test("what is no listening TCP socket is told", arguments: ["file", "datagrams", "not listening", "nothing"])
    func wrong(kind: String) throws {
        let folder = try TemporaryFolder()
        let descriptor =
            switch kind {
            case "file": unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
            case "datagrams": socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
            default: socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            }
        defer { close(descriptor) }
        let command = ["sh", "-c", "\(self.meant); exec \"$0\" \"$@\"", ServerProcess.binary, folder.path, "-p", "0"]
        let child = try ChildProcess(
            command + ServerProcess.workerOptions, descriptors: kind == "nothing" ? [] : [descriptor])
        #expect(try child.wait() == 1)
        #expect(
            child.errorText == "uvdrop: LISTEN_FDS promises a listening TCP socket as descriptor 3, and it is none.\n",
            "\(child.errorText)")
    }
}
