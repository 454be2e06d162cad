import Testing
import UVServer

@Suite("Body framing")
struct BodyFramingTests {
    static let rows: [(String, Result<BodyFraming, HTTPError>)] = [
        ("", .success(.none)),
        ("Content-Length: 0", .success(.length(0))),
        ("Content-Length:5", .success(.length(5))),
        ("Content-Length: \t007 ", .success(.length(7))),
        ("Content-Length: 9223372036854775807", .success(.length(.max))),
        ("Content-Length: 9223372036854775808", .failure(.malformedContentLength)),
        ("Content-Length: 99999999999999999999999999999999", .failure(.malformedContentLength)),
        // A23
        ("Content-Length: -1", .failure(.malformedContentLength)),
        ("Content-Length: -9223372036854775808", .failure(.malformedContentLength)),
        ("Content-Length: +5", .failure(.malformedContentLength)),
        ("Content-Length:", .failure(.malformedContentLength)),
        ("Content-Length: 0x5", .failure(.malformedContentLength)),
        ("Content-Length: 5 5", .failure(.malformedContentLength)),
        ("Content-Length: 5.0", .failure(.malformedContentLength)),
        ("Content-Length: ٥", .failure(.malformedContentLength)),
        // A21
        ("Content-Length: 5\r\nContent-Length: 100", .failure(.duplicateContentLength)),
        ("Content-Length: 5\r\ncontent-length: 5", .failure(.duplicateContentLength)),
        ("Content-Length: 5, 5", .failure(.duplicateContentLength)),
        ("Content-Length: 5,", .failure(.duplicateContentLength)),
        ("Content-Length: 6\r\nTransfer-Encoding: chunked", .failure(.conflictingLengths)),
        ("Transfer-Encoding: chunked\r\nContent-Length: 6", .failure(.conflictingLengths)),
        ("Transfer-Encoding: chunked\r\nContent-Length:", .failure(.conflictingLengths)),
        ("Transfer-Encoding: gzip\r\nContent-Length: 6", .failure(.conflictingLengths)),
        ("Transfer-Encoding: chunked", .success(.chunked)),
        ("transfer-encoding: CHUNKED", .success(.chunked)),
        ("Transfer-Encoding: , chunked", .success(.chunked)),
        ("Transfer-Encoding: gzip, chunked", .failure(.unsupportedTransferCoding)),
        ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", .failure(.unsupportedTransferCoding)),
        ("Transfer-Encoding: chunked, chunked", .failure(.malformedTransferEncoding)),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .failure(.malformedTransferEncoding)),
        ("Transfer-Encoding: chunked, gzip", .failure(.malformedTransferEncoding)),
        ("Transfer-Encoding: gzip", .failure(.malformedTransferEncoding)),
        ("Transfer-Encoding: identity", .failure(.malformedTransferEncoding)),
        ("Transfer-Encoding: xchunked", .failure(.malformedTransferEncoding)),
        ("Transfer-Encoding: \"chunked\"", .failure(.malformedTransferEncoding)),
        ("Transfer-Encoding: chunked;q=1", .failure(.malformedTransferEncoding)),
        ("Transfer-Encoding:", .failure(.malformedTransferEncoding)),
        ("Transfer-Encoding: chun ked", .failure(.malformedTransferEncoding)),
    ]

    @Test("A21, A23: a length is one number of digits, and never stands beside a coding", arguments: Self.rows)
    func table(_ lines: String, _ expected: Result<BodyFraming, HTTPError>) throws {
        let head = try head("PUT / HTTP/1.1\r\nHost: a\r\n\(lines)\(lines.isEmpty ? "" : "\r\n")\r\n")
        #expect(Result { () throws(HTTPError) in try BodyFraming(head) } == expected)
    }

    @Test("A transfer coding in HTTP/1.0 is refused")
    func oldVersion() throws {
        let head = try head("PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(throws: HTTPError.transferEncodingInOldVersion) { try BodyFraming(head) }
    }

    @Test(
        "A22: a field with a blank before its colon is refused, not filed under another name",
        arguments: [" ", "\t", "  ", " \t"])
    func blankBeforeColon(_ blank: String) {
        for name in ["Transfer-Encoding", "Content-Length", "X"] {
            let text = "POST / HTTP/1.1\r\nHost: a\r\n\(name)\(blank): chunked\r\n\r\n1c\r\nGET /x HTTP/1.1\r\n"
            for pieces in everyCut(Array(text.utf8)) { #expect(parseHead(pieces) == .failed(.blankBeforeColon)) }
        }
    }
}
