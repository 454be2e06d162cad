extension RawRequests {
    /// Beginnings of a body that hold a request, for whoever reads them otherwise.
    private static let smuggled = "0\r\n\r\nDELETE /kept HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Content-Length.
    static let lengths: [RawRequest] = {
        let right: [(String, String)] = [
            ("5", "hello"), ("0", ""), ("00", ""), ("005", "hello"), ("\t 5 \t", "hello"),
            ("42", "DELETE /kept HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ]
        let wrong = [
            "", " ", "-1", "-0", "+5", "0x5", "0b1", "0o5", "5x", "x5", "5 5", "5\t5", "5,5", "5, 5", "5,6", "5,", ",5", ",",
            "5;", "5;q=1", "5.0",
            "5e0", "5_0", "5h", "\"5\"", "'5'", "(5)", "\u{B2}", "\u{EF}\u{BC}\u{95}", "\u{D9}\u{A5}", "five", "NaN", "inf",
            "chunked", "5:5",
            "9223372036854775808", "18446744073709551615", "18446744073709551621", "36893488147419103237",
            "99999999999999999999999999999999", String(repeating: "9", count: 400), "-9223372036854775808",
        ]
        let several: [[String]] = [
            ["Content-Length: 5", "Content-Length: 5"], ["Content-Length: 5", "Content-Length: 6"],
            ["Content-Length: 0", "Content-Length: 44"],
            ["Content-Length: 44", "content-length: 0"], ["Content-Length: 5", "X: y", "CONTENT-LENGTH: 5"],
            ["Content-Length: 5", "Content-Length:"], ["Content-Length: 5", "Content-Length: x"],
            ["Content-Length: 5 ", "Content-Length: 05"],
        ]
        let spelled = [
            "Content-Length : 44", "Content-Length\t: 44", " Content-Length: 44", "\tContent-Length: 44",
            "Content-Length: 4\r\n 4",
            "Content-Length:\r\n 44", "X: y\r\n Content-Length: 44", "Content Length: 44", "Content-Length 44",
            "Content-Length=44: x",
            "Content-Length\u{0}: 44", "Content-Length: 44\u{0}", "Content-Length\u{B}: 44", "Content-Length: \u{B}44",
            "Content-Length: 4\u{C}4",
            "Content-Length\r: 44", "X: y\nContent-Length: 44", "X: y\rContent-Length: 44", "\u{A0}Content-Length: 44",
            "Content-Length\u{AD}: 44",
        ]
        return right.map { .stored($0.1, RawRequest.put("Content-Length: \($0.0)", body: $0.1)) }
            + wrong.map { .refused(400, RawRequest.put("Content-Length: \($0)", body: "hello")) }
            + several.map { .refused(400, RawRequest.put($0.joined(separator: "\r\n"), body: Self.smuggled)) }
            + spelled.map { .refused(400, RawRequest.put($0, body: Self.smuggled)) }
            + ["GET", "HEAD", "DELETE", "POST", "OPTIONS", "PROPFIND"].flatMap { method -> [RawRequest] in
                [
                    .refused(400, RawRequest.head("\(method) /a HTTP/1.1", "Content-Length: -1")),
                    .refused(400, RawRequest.head("\(method) /a HTTP/1.1", "Content-Length: 5", "Content-Length: 5") + "hello"),
                    .refused(
                        400,
                        RawRequest.head("\(method) /a HTTP/1.1", "Content-Length: 5", "Transfer-Encoding: chunked")
                            + Self.smuggled),
                ]
            } + [
                .stored("", RawRequest.put(body: "")), .stored("", RawRequest.put("Content_Length: 5", body: "")),
                .stored("", RawRequest.put("X-Content-Length: 5", body: "")),
                .unread(200, RawRequest.get("Content-Length: 5") + "hello"),
                .unread(200, RawRequest.get("Content-Length: 42") + "DELETE /kept HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                .spent(413, RawRequest.put("Content-Length: 9223372036854775807", body: "hello")),
                .spent(413, RawRequest.put("Content-Length: 52428801", body: "hello")),
                .spent(413, RawRequest.put("Content-Length: 000000000000000000000000052428801", body: "hello")),
            ]
    }()

    /// Transfer-Encoding, alone and beside Content-Length.
    static let codings: [RawRequest] = {
        let right = ["chunked", "CHUNKED", "Chunked", "\tchunked\t", ", chunked", "chunked,", ",,chunked , ,"]
        let wrong = [
            "", ",", "identity", "gzip", "x", "xchunked", "chunkedx", "chun ked", "x chunked", "chunked x", "chunked;",
            "chunked;q=1", "chunked ;a",
            "\"chunked\"", "'chunked'", "(chunked)", "chunked, chunked", "chunked,chunked", "chunked, identity", "chunked, gzip",
            "gzip, x",
            "chunked, gzip, chunked", "chunked chunked", "chunked\u{B}", "\u{B}chunked", "chunked\u{0}", "\u{0}chunked",
            "\u{A0}chunked",
            "chunked\u{85}", "\u{FF}chunked", "chunk", "deflate;q=0.5, chunked", "chunked\r\n x",
            "\r\n chunked", "x\r\n chunked", "5", "chunked=1", "chunked: 1", "close, chunked;",
        ]
        let unsupported = [
            "gzip, chunked", "identity, chunked", "deflate,chunked", "compress, gzip, chunked", "x-gzip, chunked", "cow, chunked",
        ]
        let beside: [[String]] = [
            ["Content-Length: 5", "Transfer-Encoding: chunked"], ["Transfer-Encoding: chunked", "Content-Length: 5"],
            ["Transfer-Encoding: chunked", "Content-Length: 0"], ["content-length: 5", "transfer-encoding: CHUNKED"],
            ["Content-Length: 5", "Transfer-Encoding: identity"], ["Content-Length: 5", "Transfer-Encoding: x"],
            ["Content-Length: 5", "Transfer-Encoding:"], ["Content-Length:", "Transfer-Encoding: chunked"],
            ["Content-Length: x", "Transfer-Encoding: chunked"], ["Content-Length: 5", "Transfer-Encoding: , chunked"],
            ["Content-Length: 5", "Content-Length: 5", "Transfer-Encoding: chunked"],
            ["Content-Length: 5, 5", "Transfer-Encoding: chunked"],
            ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
            ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
            ["Transfer-Encoding: chunked", "Transfer-Encoding: x"],
            ["Transfer-Encoding: chunked, x", "Transfer-Encoding: chunked"],
            ["Content-Length: 5", "Transfer-Encoding : chunked"], ["Content-Length: 5", "Transfer-Encoding\t: chunked"],
            ["Content-Length: 5", " Transfer-Encoding: chunked"], ["Content-Length: 5", "X: y\r\n Transfer-Encoding: chunked"],
            ["Content-Length: 5", "Transfer-Encoding\u{0}: chunked"], ["Content-Length: 5", "X: y\nTransfer-Encoding: chunked"],
            ["Content-Length: 5", "X: y\rTransfer-Encoding: chunked"], ["Content-Length: 5", "Transfer-Encoding\n: chunked"],
            ["Content-Length: 5", "Transfer-Encoding:\nchunked"], ["Content-Length: 5", "Transfer-Encoding"],
            ["Content-Length: 5", "Transfer Encoding: chunked"], ["Content-Length: 5", ": y\r\nTransfer-Encoding: chunked"],
        ]
        return right.map { .stored("hi", RawRequest.put("Transfer-Encoding: \($0)", body: "2\r\nhi\r\n0\r\n\r\n")) }
            + wrong.map { .refused(400, RawRequest.put("Transfer-Encoding: \($0)", body: Self.smuggled)) }
            + unsupported.map { .refused(501, RawRequest.put("Transfer-Encoding: \($0)", body: Self.smuggled)) }
            + beside.map { .refused(400, RawRequest.put($0.joined(separator: "\r\n"), body: Self.smuggled)) }
            + [
                .refused(501, RawRequest.put("Transfer-Encoding: gzip", "Transfer-Encoding: chunked", body: Self.smuggled)),
                .refused(400, "PUT /put HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + Self.smuggled),
                .refused(400, "PUT /put HTTP/1.0\r\nTransfer-Encoding: identity\r\n\r\n" + Self.smuggled),
                .refused(400, "PUT /put HTTP/1.0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + Self.smuggled),
                .refused(400, "GET /a HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" + Self.smuggled),
                .stored("hi", "PUT /put HTTP/1.2\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
                .stored("", RawRequest.put("Transfer_Encoding: chunked", body: "")),
                .stored("", RawRequest.put("TE: chunked", body: "")),
                .stored("hello", RawRequest.put("TE: trailers, chunked", "Content-Length: 5", body: "hello")),
                .unread(200, RawRequest.get("Transfer-Encoding: chunked") + "2\r\nhi\r\n0\r\n\r\n"),
                .open(200, RawRequest.get("Trailer: Content-Length")),
            ]
    }()

    /// The chunks of a body.
    static let chunks: [RawRequest] = {
        let right: [(String, String)] = [
            ("", "0\r\n\r\n"), ("", "0000000000000000\r\n\r\n"), ("hi", "2\r\nhi\r\n0\r\n\r\n"),
            ("hi", "1\r\nh\r\n1\r\ni\r\n0\r\n\r\n"),
            ("hi", "2;\r\nhi\r\n0\r\n\r\n"), ("hi", "2;a\r\nhi\r\n0;b=c\r\n\r\n"), ("hi", "2;a=\"b;c\"\r\nhi\r\n0\r\n\r\n"),
            ("hi", "2 ;a\r\nhi\r\n0\r\n\r\n"), ("hi", "2;\u{FF}\r\nhi\r\n0\r\n\r\n"),
            ("0\r\n\r\n", "5\r\n0\r\n\r\n\r\n0\r\n\r\n"),
            ("hi", "2\r\nhi\r\n0\r\nX: y\r\n\r\n"),
            ("hi", "2\r\nhi\r\n0\r\nContent-Length: 5\r\nTransfer-Encoding: x\r\nHost: evil.example\r\n\r\n"),
            ("hi", "2\r\nhi\r\n0\r\nX:\r\nConnection: close\r\n\r\n"), ("abcdefghij", "A\r\nabcdefghij\r\n0\r\n\r\n"),
            ("\r\nDELETE /kept", "e\r\n\r\nDELETE /kept\r\n0\r\n\r\n"),
        ]
        let sizes = [
            "", " ", "g", "x", "-1", "+1", "0x1", "0X1", " 1", "1 ", "1\t", "\t1", "1 1", "1,1", "1:", "1.0", "#1", "1\u{0}",
            "\u{0}1", "1\u{B}",
            "1\u{A0}", "\u{B2}", "1h", "ffffffffffffffff", "8000000000000000", "7fffffffffffffff", "fffffffffffffffff",
            "10000000000000000",
            "100000000000000000000000000000001", "00000000000000001", "10000000001", "-0", ";a", "1\u{B};a", "1 x;a", "1;\u{0}",
            "1;\u{7F}", "1;\u{1B}",
        ]
        let wrong = [
            "1\nx\n0\n\n", "1\rx\r0\r\r", "1\n\rx\n\r0\n\r\n\r", "1\r\r\nx\r\n0\r\n\r\n", "1;a\nx\r\n0\r\n\r\n",
            "1;\nx\r\n0\r\n\r\n", "1;a\rx\r\n0\r\n\r\n",
            "1;a\r\r\nx\r\n0\r\n\r\n", "1\r\nxy\r\n0\r\n\r\n", "2\r\nx\r\n0\r\n\r\n", "1\r\nx0\r\n\r\n", "1\r\nx\n0\r\n\r\n",
            "1\r\nx\r0\r\n\r\n", "1\r\nx\r\r\n0\r\n\r\n",
            "1\r\nx  0\r\n\r\n", "1\r\n\r\n0\r\n\r\n", "0\n\n", "0\r\n\n", "0\n\r\n", "0\r\n\r\r\n", "0\r\r\n\r\n", "0 \r\n\r\n",
            "0\r\n \r\n",
            "0\r\nX\r\n\r\n", "0\r\n: y\r\n\r\n", "0\r\nX : y\r\n\r\n", "0\r\n X: y\r\n\r\n", "0\r\nX: y\n\r\n",
            "0\r\nX: y\r\r\n", "0\r\nX: y\r\n z\r\n\r\n",
            "0\r\nX: \u{0}\r\n\r\n", "0\r\nX\u{0}: y\r\n\r\n", "0\r\nX: \u{7F}\r\n\r\n", "0\r\nX: y\rz\r\n\r\n",
            "0\r\nDELETE /kept HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "DELETE /kept HTTP/1.1\r\nHost: localhost\r\n\r\n", "\r\n0\r\n\r\n", "0x0\r\n\r\n", "hello",
            "1;" + String(repeating: "a", count: 17_000),
        ]
        return right.map { .stored($0.0, RawRequest.chunked($0.1)) }
            + sizes.map { .refused(400, RawRequest.chunked("\($0)\r\nx\r\n0\r\n\r\n")) }
            + wrong.map { .refused(400, RawRequest.chunked($0)) }
            + [
                .refused(431, RawRequest.chunked("0\r\nX: " + String(repeating: "y", count: 9000) + "\r\n\r\n")),
                .refused(431, RawRequest.chunked("0\r\n" + String(repeating: "X: y\r\n", count: 2000) + "\r\n")),
                .refused(400, RawRequest.chunked(String(repeating: "1;aaaaaaaaaaaaaaa\r\nx\r\n", count: 1100) + "0\r\n\r\n")),
            ]
    }()
}
