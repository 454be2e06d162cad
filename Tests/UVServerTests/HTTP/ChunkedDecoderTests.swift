import Testing
import UVServer

/// What a decoder made of some bytes.
enum ChunkedOutcome: Equatable {
    case body(String, rest: String)
    case failed(HTTPError)
    case needsMore
}

func decodeChunks(_ pieces: [[UInt8]], limits: RequestLimits = RequestLimits()) -> ChunkedOutcome {
    var decoder = ChunkedDecoder(limits: limits)
    var body: [UInt8] = []
    var rest: [UInt8] = []
    var ended = false
    for piece in pieces {
        var index = 0
        do {
            reading: while !ended {
                switch try decoder.next(piece.span, at: &index) {
                case .data(let range): body += piece[range]
                case .end: ended = true
                case nil: break reading
                }
            }
        } catch {
            return .failed(error)
        }
        rest += piece[index...]
    }
    return ended
        ? .body(String(decoding: body, as: UTF8.self), rest: String(decoding: rest, as: UTF8.self)) : .needsMore
}

@Suite("Chunked bodies")
struct ChunkedDecoderTests {
    static let good: [(String, String)] = [
        ("0\r\n\r\n", ""), ("000\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "abc"), ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("0000000000000005\r\nhello\r\n0\r\n\r\n", "hello"),
        ("7\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n", "\r\n0\r\n\r\n"),
        ("2;a\r\nhi\r\n0;b=c\r\n\r\n", "hi"), ("2;a=\"b;c\"\r\nhi\r\n0\r\n\r\n", "hi"), ("2 \t;a = b\r\nhi\r\n0\r\n\r\n", "hi"),
        ("2;\r\nhi\r\n0\r\n\r\n", "hi"),
        ("2;a=\"b\\\"c\\\\\"\r\nhi\r\n0;a=\"\";b\r\n\r\n", "hi"),
        ("2\r\nhi\r\n0\r\nX: y\r\n\r\n", "hi"), ("0\r\nX:\r\nContent-Length: 7\r\n\r\n", ""),
    ]

    static let bad: [(String, HTTPError)] = [
        ("\r\n", .malformedChunk), ("g\r\n", .malformedChunk), (";a\r\n", .malformedChunk), (" 5\r\n", .malformedChunk),
        ("-1\r\n", .malformedChunk), ("+1\r\n", .malformedChunk), ("0x5\r\n", .malformedChunk), ("5 \r\n", .malformedChunk),
        ("5 5\r\n", .malformedChunk), ("5\n", .malformedChunk), ("5\rx", .malformedChunk), ("5\r\r", .malformedChunk),
        ("5;a\n", .malformedChunk), ("5;a\rb", .malformedChunk), ("5;\u{0}\r\n", .malformedChunk), ("5;\u{7F}", .malformedChunk),
        ("1;a=\"\r\n", .malformedChunk), ("1;a=\"b\\\"\r\n", .malformedChunk), ("1;a=\"\";b=\"\r\n", .malformedChunk),
        ("1;a=\"\\\r", .malformedChunk), ("1;\"\r\n", .malformedChunk),
        ("2\r\nhix", .malformedChunk), ("2\r\nhi\n", .malformedChunk), ("2\r\nhi\rx", .malformedChunk),
        ("2\r\nhi0\r\n", .malformedChunk), ("1\r\nhi\r\n", .malformedChunk),
        ("0\r\n\n", .malformedChunk), ("0\r\n\rx", .malformedChunk), ("0\r\n x: y\r\n", .malformedChunk),
        ("0\r\n:y\r\n", .malformedChunk), ("0\r\nx : y\r\n", .malformedChunk), ("0\r\nx\r\n", .malformedChunk),
        ("0\r\nx: \u{0}\r\n", .malformedChunk), ("0\r\nx: y\n", .malformedChunk), ("0\r\nx: y\rz", .malformedChunk),
        ("0\r\nx: y\r\n z\r\n\r\n", .malformedChunk), ("0\r\nGET / HTTP/1.1\r\n", .malformedChunk),
        ("8000000000000000\r\n", .chunkTooLarge), ("ffffffffffffffff\r\n", .chunkTooLarge),
        ("fffffffffffffffff\r\n", .chunkTooLarge), ("10000000000000000\r\n", .chunkTooLarge),
        ("00000000000000005\r\n", .chunkTooLarge), ("10000000001\r\n", .chunkTooLarge), ("1000000000f\r\n", .chunkTooLarge),
    ]

    @Test("A right body is the same however it is cut, and what follows is left alone", arguments: Self.good)
    func accepts(_ text: String, _ expected: String) {
        for pieces in everyCut(Array((text + "GET /").utf8)) {
            #expect(decodeChunks(pieces) == .body(expected, rest: "GET /"))
        }
    }

    @Test("A wrong body is refused with the same error however it is cut", arguments: Self.bad)
    func refuses(_ text: String, _ expected: HTTPError) {
        for pieces in everyCut(Array(text.utf8)) { #expect(decodeChunks(pieces) == .failed(expected)) }
    }

    @Test("A body cut off anywhere has not ended", arguments: Self.good)
    func cutOff(_ text: String, _ expected: String) {
        let bytes = Array(text.utf8)
        for end in 0..<bytes.count { #expect(decodeChunks([Array(bytes[..<end])]) == .needsMore) }
    }

    @Test("The largest size that fits is a chunk like any other")
    func largest() {
        #expect(decodeChunks([Array("10000000000\r\nabc".utf8)]) == .needsMore)
    }

    @Test("Extensions are counted over all chunks, trailers over all lines, each to the byte")
    func limits() {
        var limits = RequestLimits()
        limits.chunkExtensionBytes = 4
        limits.trailerBytes = 8
        let rows: [(String, HTTPError?)] = [
            ("1;a\r\nx\r\n0;b\r\n\r\n", nil), ("1;a\r\nx\r\n0;bc\r\n\r\n", .chunkExtensionsTooLarge(limit: 4)),
            ("0\r\na:\r\nb:\r\n\r\n", nil), ("0\r\na:\r\nb:c\r\n\r\n", .trailersTooLarge(limit: 8)),
        ]
        for (text, error) in rows {
            for pieces in everyCut(Array(text.utf8)) {
                let outcome = decodeChunks(pieces, limits: limits)
                if let error { #expect(outcome == .failed(error)) } else { #expect(outcome != .needsMore) }
            }
        }
    }

    @Test("A changed byte anywhere never traps, and cuts do not change the outcome")
    func mutations() {
        let base = Array("a;b=c\r\n0123456789\r\n0\r\nX: y\r\n\r\n".utf8)
        for index in base.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = base
                bytes[index] = byte
                #expect(decodeChunks(bytes.map { [$0] }) == decodeChunks([bytes]))
            }
        }
    }

    @Test("After its end a body takes nothing more")
    func afterEnd() throws {
        var decoder = ChunkedDecoder(limits: RequestLimits())
        let bytes = Array("0\r\n\r\n5\r\n".utf8)
        var index = 0
        for _ in 0..<3 {
            #expect(try decoder.next(bytes.span, at: &index) == .end)
            #expect(index == 5)
        }
    }
}
