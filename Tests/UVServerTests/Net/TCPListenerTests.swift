import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("A TCP listener", .timeLimit(.minutes(1))) struct TCPListenerTests {
    @EventLoop private static func listen(_ host: String, _ port: UInt16) throws -> TCPListener {
        try TCPListener(try #require(SocketAddress(host: host, port: port))) { $0.close() }
    }

    @Test("leaves connections in the kernel's queue while it is paused, and takes each of them when it goes on")
    func paused() async throws {
        let accepted = Accepted()
        let listener = try await accepted.listen()
        await listener.pause()
        let port = await listener.address.port
        let clients = try (0..<3).map { _ in try RawClient(port: port) }
        for (index, client) in clients.enumerated() { try client.send([UInt8(index)]) }
        await turns(10)
        #expect(await accepted.streams.isEmpty)
        await listener.resume()
        for index in clients.indices {
            let chunk = try await accepted.next(index + 1).read()
            #expect(chunk?.withSpan { $0[0] } == UInt8(index))
        }
        await accepted.closeAll()
        for client in clients { #expect(try client.endsCleanly()) }
        await listener.close()
    }

    @Test("says which port the kernel chose, and that another has it") @EventLoop
    func taken() throws {
        let listener = try Self.listen("127.0.0.1", 0)
        #expect(listener.address.port != 0 && listener.address.addressText == "127.0.0.1")
        let error = #expect(throws: UVError.self) { try Self.listen("127.0.0.1", listener.address.port) }
        #expect(error?.isAddressInUse == true)
        listener.close()
    }

    @Test("says that an address is not this machine's") @EventLoop
    func foreign() throws {
        // TEST-NET-1 of RFC 5737: no machine has it.
        let error = #expect(throws: UVError.self) { try Self.listen("192.0.2.1", 0) }
        #expect(error?.isAddressMissing == true)
    }

    @Test("of IPv6 takes IPv6 only: one of IPv4 may have the same port", .enabled("needs IPv6", Self.hasIPv6)) @EventLoop
    func families() throws {
        // A port that is free for IPv6 may by chance be in use for IPv4; not twenty times.
        for attempt in 1...20 {
            let first = try Self.listen("::", 0)
            defer { first.close() }
            do {
                let second = try Self.listen("0.0.0.0", first.address.port)
                #expect(first.address.isIPv6 && !second.address.isIPv6)
                second.close()
                return
            } catch let error as UVError where error.isAddressInUse && attempt < 20 {
                continue
            }
        }
    }

    @Sendable private static func hasIPv6() async -> Bool {
        guard let listener = try? await Self.listen("::1", 0) else { return false }
        await listener.close()
        return true
    }

    @Test("refuses connections once it is closed, at which it may be closed again or resumed") @EventLoop
    func closed() async throws {
        let listener = try Self.listen("127.0.0.1", 0)
        let port = listener.address.port
        listener.close()
        listener.close()
        listener.resume()
        #expect(throws: TestFailure.self) { try RawClient(port: port) }
    }
}
