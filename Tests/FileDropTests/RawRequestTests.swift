import TestSupport
import Testing
import UVServer

@testable import FileDrop

/// The hostile requests of every section, to a whole server in this process.
@Suite("Raw requests to a server") struct RawRequestTests {
    /// The loop takes what has been sent: accepts, reads, and lets whoever waited for it run. Blocks: a task that gave its thread away
    /// would wait for those of other tests, and for longer than a head may take.
    private static func turns() {
        let isOver = PosixMutex(false)
        EventLoop.spawn {
            for _ in 0..<3 { await EventLoop.nextTurn() }
            isOver.withLock { $0 = true }
        }
        _ = eventually(every: 0) { isOver.withLock { $0 } }
    }

    /// Where the row of that number is cut, first on its connection and behind a request that is right: everywhere, but that makes tens
    /// of thousands of connections; so at every eighth place unless thoroughness is asked for. Of a long row there are some places only.
    private static func places(_ number: Int, _ count: Int) -> [(isSecond: Bool, place: Int)] {
        let step = count > 400 ? count / 16 : isThorough ? 1 : 8
        return [false, true].flatMap { isSecond in
            stride(from: isThorough ? 1 : 1 + (number + (isSecond ? 4 : 0)) % 8, to: count, by: step).map { (isSecond, $0) }
        }
    }

    @Test(
        "are answered or refused as their rows say wherever they are cut", .timeLimit(.minutes(5)),
        arguments: RawRequests.sections)
    func cut(_ section: RawRequests.Section) async throws {
        let folder = try TemporaryFolder()
        try RawRequests.fill(folder)
        let server = await FileServer(
            Configuration(folder: folder.path, port: 0, binds: ["127.0.0.1"], durability: .none, quiet: true))
        try await server.start()
        let port = await server.port
        for (number, row) in section.rows.enumerated() {
            let follower = RawRequests.follower(of: row)
            for (isSecond, place) in Self.places(number, row.bytes.count) {
                let client = try RawClient(port: port)
                try client.send((isSecond ? RawRequests.before.request : []) + row.bytes[..<place])
                Self.turns()
                client.sendIgnoringRefusal(row.bytes[place...] + follower)
                if isSecond { #expect(try client.readReply().text == RawRequests.before.text) }
                if let fault = try RawRequests.fault(in: client, after: row) {
                    Issue.record("\(fault), cut at \(place)\(isSecond ? ", behind another" : ""), for \(row)")
                }
                if row.stored != nil {
                    #expect(folder.read("put") == row.stored, "cut at \(place), for \(row)")
                    folder.remove("put")
                }
            }
        }
        #expect(folder.allFiles == ["a": 5, "after": 5, "kept": 4])
        await server.stop()
    }
}
