import Testing

@testable import UVServer

@Suite("The connections of an address") struct AddressLimitTests {
    @Test("are served up to the limit, then turned away up to it, then closed", arguments: [(2, 4), (5, 5)])
    func places(most: Int, leaving: Int) {
        var limit = AddressLimit<String, Int>(limit: most)
        let places = (0..<20).map { limit.add($0, of: "a") }
        #expect(places.prefix(most).allSatisfy { $0 == .served })
        #expect(places.dropFirst(most).prefix(leaving).allSatisfy { $0 == .turnedAway })
        #expect(places.dropFirst(most + leaving).allSatisfy { $0 == .closed })
        #expect(limit.add(20, of: "b") == .served)
        limit.remove(0, of: "a")
        #expect(limit.hasRoom(for: "a") && limit.served(of: "a") == Set(1..<most))
        for connection in 0..<20 { limit.remove(connection, of: "a") }
        limit.remove(20, of: "b")
        #expect(limit.addressCount == 0)
    }

    @Test("that have had their last answer keep no other from being served, up to the limit") func leaving() {
        var limit = AddressLimit<String, Int>(limit: 1)
        for connection in 1...4 {
            #expect(limit.add(connection, of: "a") == .served)
            limit.leave(connection, of: "a")
        }
        #expect(limit.add(5, of: "a") == .served)
        // No room to leave into.
        limit.leave(5, of: "a")
        #expect(limit.add(6, of: "a") == .closed)
        limit.remove(1, of: "a")
        limit.leave(5, of: "a")
        #expect(limit.add(6, of: "a") == .served)
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
