import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("A listening socket", .timeLimit(.minutes(1))) @EventLoop struct ListeningSocketTests {
    private func address(_ port: UInt16 = 0) throws -> SocketAddress {
        try #require(SocketAddress(host: "127.0.0.1", port: port))
    }

    @Test("of a group shares its port with the others and with no stranger", arguments: [1, 2, 3])
    func groups(count: Int) throws {
        let group = try ListeningSocket.group(try self.address(), count: count)
        let port = group[0].address.port
        #expect(group.count == count && group.allSatisfy { $0.address.port == port })
        for strangers in [1, 2] {
            let error = #expect(throws: UVError.self) { try ListeningSocket.group(self.address(port), count: strangers) }
            #expect(error?.isAddressInUse == true)
        }
        for socket in group { socket.close() }
        #expect(try ListeningSocket.group(self.address(port), count: count).count == count)
    }

    @Test("of a group gets its part of the clients") func parts() throws {
        let group = try ListeningSocket.group(try self.address(), count: 2)
        let clients = try (0..<64).map { _ in try RawClient(port: group[0].address.port) }
        let counts = group.map { socket in
            var count = 0
            while case let client = accept(socket.descriptor, nil, nil), client >= 0 {
                close(client)
                count += 1
            }
            return count
        }
        #expect(counts.reduce(0, +) == clients.count && counts.allSatisfy { $0 > 0 }, "\(counts)")
    }

    @Test("that was passed is taken as it is") func adopted() throws {
        let made = try ListeningSocket(try self.address())
        let taken = try ListeningSocket(adopting: dup(made.descriptor))
        #expect(taken.address.port == made.address.port && !taken.isDual)
        made.close()
        _ = try RawClient(port: taken.address.port)
    }

    @Test("is nothing else that was passed", arguments: ["file", "datagrams", "local", "not listening"])
    func refused(kind: String) throws {
        let descriptor =
            switch kind {
            case "file": unsafe open("/dev/null", O_RDONLY)
            case "datagrams": socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
            case "local": socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
            default: socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            }
        if kind == "local" {
            // Bound to a name that the kernel makes up (unix(7), autobind).
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bound = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size))
                }
            }
            try #require(bound == 0 && listen(descriptor, 1) == 0)
        }
        #expect(throws: UVError.self) { try ListeningSocket(adopting: descriptor) }
        // It is still the caller's.
        #expect(close(descriptor) == 0)
    }

    @Test(
        "is counted as passed to this very process only",
        arguments: [
            ([:], nil, 0), (["LISTEN_FDS": "2", "LISTEN_PID": "7"], 7, 2), (["LISTEN_FDS": "2", "LISTEN_PID": "8"], 7, 0),
            (["LISTEN_FDS": "2"], 7, 0), (["LISTEN_FDS": "2"], nil, 2), (["LISTEN_FDS": "-1"], nil, 0),
            (["LISTEN_FDS": "x", "LISTEN_PID": "7"], 7, 0), (["LISTEN_FDS": "99999999999"], nil, 0),
        ] as [([String: String], CInt?, Int)])
    func counted(variables: [String: String], process: CInt?, count: Int) {
        #expect(InheritedSockets.count(variables, process: process) == count)
    }
}
