import Testing

@testable import UVServer

@Suite("The connections of an address") struct AddressLimitTests {
    @Test("are served up to the limit, then turned away up to it, then closed") func places() {
        var limit = AddressLimit<String, Int>(limit: 2)
        #expect((0..<6).map { limit.add($0, of: "a") } == [.served, .served, .turnedAway, .turnedAway, .closed, .closed])
        #expect(limit.add(7, of: "b") == .served)
        limit.remove(0, of: "a")
        #expect(limit.hasRoom(for: "a") && limit.served(of: "a") == [1])
        for connection in 0..<8 { limit.remove(connection, of: "a") }
        limit.remove(7, of: "b")
        #expect(limit.addressCount == 0)
    }

    @Test("that have had their last answer keep no other from being served, up to the limit") func leaving() {
        var limit = AddressLimit<String, Int>(limit: 1)
        #expect(limit.add(1, of: "a") == .served)
        limit.leave(1, of: "a")
        #expect(limit.add(2, of: "a") == .served)
        // No room to leave into.
        limit.leave(2, of: "a")
        #expect(limit.add(3, of: "a") == .closed)
        limit.remove(1, of: "a")
        limit.leave(2, of: "a")
        #expect(limit.add(3, of: "a") == .served)
    }

    @Test("is at least one") func least() {
        var limit = AddressLimit<String, Int>(limit: 0)
        #expect(limit.add(1, of: "a") == .served)
    }

    @Test(
        "are those of one host: by the whole address, IPv4 also where it came over IPv6, whatever the port",
        arguments: [
            ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "::ffff:10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false),
            ("2001:db8::1", "2001:db8::1", true), ("2001:db8::1", "2001:db8::2", false), ("2001:db8::1", "2001:db9::1", false),
            ("fe80::1", "fe80::1%lo", false), ("::1", "127.0.0.1", false),
        ])
    func hosts(one: String, other: String, isSame: Bool) throws {
        let first = try #require(SocketAddress(host: one, port: 1))
        let second = try #require(SocketAddress(host: other, port: 2))
        #expect((first.ipAddress == second.ipAddress) == isSame)
    }
}
