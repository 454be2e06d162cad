import Testing

@testable import LoadGenerator

@Suite("An answer") struct AnswerTests {
    /// Parses head and body from `bytes`, which come in pieces of `size`.
    private static func parse(_ bytes: [UInt8], pieces size: Int, to method: String = "GET") throws(LoadFailure) -> (
        ResponseHead, [UInt8], Int
    ) {
        var parser = ResponseHeadParser()
        var (head, framing): (ResponseHead?, AnswerFraming?) = (nil, nil)
        var (body, used): ([UInt8], Int) = ([], 0)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[start..<min(start + size, bytes.count)])
            var index = 0
            if head == nil {
                head = try parser.next(piece.span, at: &index)
                framing = head.map { AnswerFraming($0, to: method) }
            }
            while let range = try framing?.next(piece.span, at: &index) { body += piece[range] }
            used = start + index
            if framing?.hasEnded == true { break }
        }
        try framing?.close()
        guard let head else { throw .closed }
        return (head, body, used)
    }

    @Test(
        "ends where its framing says, in pieces of any size",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloX", "GET", 200, "hello", 1),
            ("HTTP/1.1 200 OK\ncontent-length:5\n\nhello", "GET", 200, "hello", 0),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HEAD", 200, "", 0),
            ("HTTP/1.1 204 No\r\n\r\nX", "PUT", 204, "", 1),
            ("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nX", "GET", 304, "", 1),
            (
                "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\nX", "PUT", 201,
                "hello", 1
            ),
            ("HTTP/1.0 200\r\n\r\nall of it", "GET", 200, "all of it", 0),
        ])
    func framing(_ text: String, _ method: String, _ status: Int, _ body: String, _ rest: Int) throws {
        let bytes = Array(text.utf8)
        for size in 1...bytes.count {
            let (head, found, used) = try Self.parse(bytes, pieces: size, to: method)
            #expect((head.status, String(decoding: found, as: UTF8.self)) == (status, body))
            #expect(bytes.count - used == rest, "in pieces of \(size)")
        }
    }

    @Test(
        "says whether its connection lasts",
        arguments: [
            ("HTTP/1.1 200 OK", true), ("HTTP/1.1 200 OK\r\nConnection: Close", false), ("HTTP/1.0 200 OK", false),
            ("HTTP/1.0 200 OK\r\nConnection: keep-alive", true),
        ])
    func keepAlive(_ text: String, _ keeps: Bool) throws {
        #expect(try ResponseHead(Array(text.utf8)[...]).keepsAlive == keeps)
    }

    @Test(
        "that is none is malformed",
        arguments: [
            "", "HTTP/2 200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 099 OK", "ICY 200 OK",
            "HTTP/1.1 200 OK\r\nnocolon",
            "HTTP/1.1 200 OK\r\n: x", "HTTP/1.1 200 OK\r\nContent-Length: five",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999",
        ])
    func malformed(_ text: String) throws {
        #expect(throws: LoadFailure.self) { try ResponseHead(Array(text.utf8)[...]) }
    }

    @Test("whose head has no end is malformed") func endless() {
        var parser = ResponseHeadParser()
        let bytes = [UInt8](repeating: 0x61, count: ResponseHeadParser.headBytes + 1)
        var index = 0
        #expect(throws: LoadFailure.malformed("its head has no end")) { try parser.next(bytes.span, at: &index) }
    }
}
