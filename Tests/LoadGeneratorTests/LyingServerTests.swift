import TestSupport
import Testing
import UVServer

@testable import LoadGenerator

/// A benchmark that takes wrong answers for right ones measures nothing: each lie has to be told.
@Suite("Of a server that lies the load generator says so", .timeLimit(.minutes(1))) struct LyingServerTests {
    private static let body = Content(seed: 1, name: "/f.bin").bytes(at: 0, count: 1000)

    private static func failures(_ answers: [CannedServer.Answer], _ load: String, _ options: String...) async throws
        -> [String: String]
    {
        let server = try await CannedServer(answers)
        let result = await LoadResult.of(["--url", server.url] + options + [load])
        await server.close()
        #expect(result.status == 1)
        #expect(result.errors == result.loads[0].errors.values.reduce(0) { $0 + $1.count })
        return result.loads[0].errors.mapValues(\.first)
    }

    @Test("one wrong byte, wherever it is", arguments: [0, 1, 7, 8, 500, 999])
    func wrongByte(_ place: Int) async throws {
        var wrong = Self.body
        wrong[place] ^= 0x10
        let found = try await Self.failures([.ok(wrong)], "get:path=/f.bin,size=1000,count=1")
        #expect(found == ["wrong bytes": "byte \(place) of the file is wrong"])
    }

    @Test("a body that is cut, chunked or not")
    func cut() async throws {
        let half = Array(Self.body.prefix(500))
        let whole = CannedServer.Answer("HTTP/1.1 200 OK\nContent-Length: 1000", half, closes: true)
        #expect(
            try await Self.failures([whole], "get:path=/f.bin,size=1000,count=1")
                == ["cut": "the server closed with 500 bytes of the body missing"])
        let chunked = CannedServer.Answer(
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked", Array("1f4\r\n".utf8) + half + Array("\r\n".utf8), closes: true)
        #expect(
            try await Self.failures([chunked], "get:path=/f.bin,size=1000,count=1")
                == ["cut": "the server closed within a chunked body"])
    }

    @Test("another length than the file has, announced or found")
    func wrongLength() async throws {
        let short = Array(Self.body.prefix(999))
        let expected = ["wrong length": "the body has 999 bytes instead of 1000"]
        #expect(try await Self.failures([.ok(short)], "get:path=/f.bin,size=1000,count=1") == expected)
        let untilClose = CannedServer.Answer("HTTP/1.1 200 OK", short, closes: true)
        #expect(try await Self.failures([untilClose], "get:path=/f.bin,size=1000,count=1") == expected)
    }

    @Test("a status that is no success, counted by its code")
    func status() async throws {
        let server = try await CannedServer([.ok(Self.body), CannedServer.Answer("HTTP/1.1 503 Busy\nContent-Length: 0")])
        let result = await server.load("get:path=/f.bin,size=1000,count=4")
        await server.close()
        #expect(result.loads[0].requests == 1)
        #expect(result.loads[0].failures == ["status 503": 3])
    }

    @Test("a whole file, or another range, for a part")
    func range() async throws {
        #expect(
            try await Self.failures([.ok(Self.body)], "range:path=/f.bin,size=1000,length=10,count=1")
                == ["status 200": "the answer is 200"])
        let other = CannedServer.Answer(
            "HTTP/1.1 206 Partial\nContent-Range: bytes 0-9/1001\nContent-Length: 10", Array(Self.body.prefix(10)))
        let found = try await Self.failures([other], "range:path=/f.bin,size=1000,length=10,count=1")
        #expect(found == ["wrong range": "the range is bytes 0-9/1001"])
    }

    @Test("something that is no HTTP")
    func malformed() async throws {
        let found = try await Self.failures([CannedServer.Answer("SSH-2.0-x")], "get:path=/f.bin,count=1")
        #expect(found == ["malformed": "not an HTTP/1 answer: it begins with \"SSH-2.0-x\""])
    }

    @Test("no answer but the end of the connection")
    func closed() async throws {
        var answer = CannedServer.Answer("")
        (answer.bytes, answer.closes) = ([], true)
        let found = try await Self.failures([answer], "get:path=/f.bin,count=1")
        #expect(found == ["closed": "the server closed the connection without an answer"])
    }

    @Test("nothing at all, for longer than is allowed")
    func silent() async throws {
        let found = try await Self.failures([], "get:path=/f.bin,count=1", "--timeout", "1s")
        #expect(found == ["timed out": "nothing moved for too long"])
    }

    @Test("an upload that was accepted and is not there, or not as it was sent", arguments: ["put", "form"])
    func notStored(_ kind: String) async throws {
        let created = CannedServer.Answer("HTTP/1.1 201 Created\nContent-Length: 0")
        let missing = CannedServer.Answer("HTTP/1.1 404 Not Found\nContent-Length: 0")
        #expect(
            try await Self.failures([created, missing], "\(kind):size=1000,count=1")
                == ["not stored": "fetching what was uploaded: the answer is 404"])
        var stored = Content(seed: 1, name: "load-1-0-0-0.bin").bytes(at: 0, count: 1000)
        stored.swapAt(998, 999)
        let found = try await Self.failures([created, .ok(stored)], "\(kind):size=1000,count=1")
        #expect(found == ["not stored": "fetching what was uploaded: byte 998 of the file is wrong"])
    }

    @Test("a refusal while the upload is under way is the answer, not a broken connection")
    func early() async throws {
        let refusal = CannedServer.Answer("HTTP/1.1 413 Too Large\nContent-Length: 0", isEarly: true)
        let found = try await Self.failures([refusal], "put:size=64MiB,count=1", "--timeout", "2s")
        #expect(found == ["status 413": "the answer is 413, before the request was sent whole"])
    }

    @Test("an idle connection that it drops")
    func idle() async throws {
        let server = try await CannedServer([CannedServer.Answer("HTTP/1.1 200 OK\nContent-Length: 0", closes: true)])
        let result = await LoadResult.of(["--url", server.url, "--duration", "50s", "idle:path=/"]) { run in
            EventLoop.spawn {
                while run.loads[0].tally.failures.isEmpty { await EventLoop.nextTurn() }
                run.end()
            }
        }
        await server.close()
        #expect(result.loads[0].failures == ["closed": 1])
        #expect(result.loads[0].openAtEnd == 0)
    }

    @Test("a stalled reader that it resets, which reads nothing that would say so")
    func stalled() async throws {
        var answer = CannedServer.Answer.ok(Self.body)
        answer.resets = true
        let server = try await CannedServer([answer])
        let result = await LoadResult.of(["--url", server.url, "--duration", "50s", "slow-read:path=/f.bin,rate=0"]) { run in
            EventLoop.spawn {
                while server.resets == 0 { await EventLoop.nextTurn() }
                run.end()
            }
        }
        await server.close()
        #expect(result.loads[0].failures == ["closed": 1])
        #expect(result.loads[0].openAtEnd == 0)
    }
}
