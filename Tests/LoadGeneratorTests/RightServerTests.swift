import TestSupport
import Testing
import UVServer

@testable import LoadGenerator

@Suite("Of a server that answers rightly the load generator reports", .timeLimit(.minutes(1))) struct RightServerTests {
    private static let body = Content(seed: 1, name: "/f.bin").bytes(at: 0, count: 1000)

    @Test("each request, over one kept connection, and nothing wrong", arguments: ["length", "chunks", "interim"])
    func all(_ form: String) async throws {
        let answer =
            switch form {
            case "chunks":
                CannedServer.Answer(
                    "HTTP/1.1 200 OK\nTransfer-Encoding: chunked",
                    Array("1\r\n".utf8) + Self.body[..<1] + Array("\r\n3E7;x=y\r\n".utf8) + Self.body[1...]
                        + Array("\r\n0\r\nA: b\r\n\r\n".utf8))
            case "interim":
                CannedServer.Answer("HTTP/1.1 103 Hints\n\nHTTP/1.1 200 OK\nContent-Length: 1000", Self.body)
            default: CannedServer.Answer.ok(Self.body)
            }
        let server = try await CannedServer([answer])
        let result = await server.load("get:path=/f.bin,size=1000,count=5")
        #expect(await server.connections == 1)
        await server.close()
        #expect(result.status == 0)
        let load = result.loads[0]
        #expect(load.failures == [:])
        #expect((load.requests, load.bytes, load.connections) == (5, 5000, 1))
        let latency = try #require(load.latencyUs)
        #expect(latency.p50 <= latency.p99 && latency.p99 <= latency.max && latency.max > 0)
    }

    @Test("a new connection a request where the server closes, or the load wants it", arguments: ["", ",keep-alive=no"])
    func connections(_ setting: String) async throws {
        let closing = CannedServer.Answer("HTTP/1.1 200 OK\nConnection: close\nContent-Length: 1000", Self.body, closes: true)
        let server = try await CannedServer(setting.isEmpty ? [closing] : [.ok(Self.body)])
        let result = await server.load("get:path=/f.bin,size=1000,count=3\(setting)")
        #expect(result.loads[0].failures == [:])
        #expect(result.loads[0].connections == 3)
        let asks = await server.requests.allSatisfy { $0.contains("Connection: close") }
        #expect(asks == !setting.isEmpty)
        await server.close()
    }

    @Test("the same requests for the same seed, and others for another")
    func deterministic() async throws {
        var asked: [[String]] = []
        for seed in [7, 7, 8] {
            let server = try await CannedServer([CannedServer.Answer("HTTP/1.1 500 No\nContent-Length: 0")])
            _ = await server.load("--seed", "\(seed)", "range:path=/f.bin,size=1GiB,count=5", "--header", "A: b")
            asked.append(await server.requests.map { $0.split(separator: "\r\n").dropFirst(2).joined(separator: "|") })
            await server.close()
        }
        #expect(asked[0].count == 5 && Set(asked[0]).count == 5)
        #expect(asked[0].allSatisfy { $0.hasPrefix("A: b|Range: bytes=") })
        #expect(asked[0] == asked[1])
        #expect(asked[0] != asked[2])
    }

    @Test("what a client was given by its number")
    func client() async throws {
        let server = try await CannedServer([.ok([])])
        _ = await server.load("get:path=/{client}.bin,clients=3,count=3")
        let paths = await server.requests.map { $0.split(separator: " ")[1] }
        #expect(Set(paths) == ["/0.bin", "/1.bin", "/2.bin"])
        await server.close()
    }

    @Test("no more requests a second than its pace, and bytes than its rate")
    func paced() async throws {
        let server = try await CannedServer([.ok(Self.body)])
        let paced = await server.load("get:path=/f.bin,size=1000,count=11,pace=100/s")
        #expect(paced.seconds >= 0.1)
        // 100 ms are given back to a client that was late, so that of 5000 bytes at 10 kB/s a second's worth is waited for less.
        let slow = await server.load("get:path=/f.bin,size=1000,count=6,rate=10kB/s")
        #expect(slow.seconds >= 0.3)
        #expect(paced.errors + slow.errors == 0)
        await server.close()
    }

    @Test("whatever moved until the time was over, without calling it a failure")
    func timeOver() async throws {
        let server = try await CannedServer([
            CannedServer.Answer("HTTP/1.1 200 OK\nContent-Length: 1000", Array(Self.body.prefix(600)))
        ])
        let arguments = [
            "--url", await server.url, "--duration", "50s", "get:path=/f.bin,size=1000", "slow-read:path=/f.bin,rate=0",
        ]
        let result = await LoadResult.of(arguments) { run in
            EventLoop.spawn {
                while run.loads[0].tally.bytes < 600 || server.requests.count < 2 { await EventLoop.nextTurn() }
                run.end()
            }
        }
        await server.close()
        #expect(result.errors == 0)
        #expect((result.loads[0].requests, result.loads[0].bytes) == (0, 600))
        #expect(result.loads[1].openAtEnd == 1)
    }
}
