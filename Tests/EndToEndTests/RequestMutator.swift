import TestSupport

/// Requests as they should be, and what chance makes of them.
struct RequestMutator {
    private var random: SeededGenerator

    private static let targets = [
        "/a", "/b.txt", "/sub/c", "/long%20name.bin", "/%ED%95%9C.txt", "/%61", "/sub/../a", "/none", "http://localhost/a",
        "/%62.txt?x=y",
    ]
    /// What parsers look for, right and wrong.
    private static let words = [
        "\r\n", "\n", "\r", "\r\n\r\n", "\0", " ", "\t", ":", ",", "0\r\n\r\n", "5\r\n", "Content-Length: 5\r\n",
        "Content-Length: 0\r\n",
        "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: x\r\n", "chunked", "Host: localhost\r\n", "Host: evil.example\r\n",
        "Expect: 100-continue\r\n", "Connection: close\r\n", "Connection: keep-alive\r\n", "HTTP/1.0", "HTTP/1.1", "HEAD ",
        "DELETE ", "/delete/",
        "%00", "%2e%2e", "%2F", "..", "/", "//", "-", "-1", "99999999999999999999", "ffffffff", ";a=b", "If-Match: *\r\n",
        "If-None-Match: *\r\n",
        "Range: bytes=0-0\r\n", "Range: bytes=-5,1-2\r\n", "--X", "--X--\r\n", "filename=\"a\"", "X: y\r\n",
        "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ].map { [UInt8]($0.utf8) }

    init(seed: UInt64) { self.random = SeededGenerator(seed: seed) }

    /// What one connection sends: some requests, most of the time not all as they should be.
    mutating func stream() -> [UInt8] {
        var stream: [UInt8] = []
        for _ in 0...self.random.below(4) {
            var request = self.request()
            if self.random.below(3) == 0 { request = self.mutated(request) }
            stream += request
        }
        return self.random.below(3) == 0 ? self.mutated(stream) : stream
    }

    /// `bytes` in some pieces.
    mutating func pieces(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        let most = self.random.pick([bytes.count + 1, 1000, 50])
        while start < bytes.count {
            let end = min(bytes.count, start + 1 + self.random.below(most))
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces
    }

    /// The beginning of a head, which does not end.
    mutating func unfinishedHead() -> [UInt8] {
        let request = self.request()
        return Array(request.prefix(1 + self.random.below(request[...].headLength ?? 1)))
    }

    // MARK: As it should be

    private mutating func request() -> [UInt8] {
        let target = self.random.pick(Self.targets)
        switch self.random.below(12) {
        case 0...2: return HTTPRequest.bytes("GET", target, self.readFields())
        case 3: return HTTPRequest.bytes("HEAD", target, self.readFields())
        case 4, 5: return HTTPRequest.bytes("PUT", target, self.writeFields(), body: self.content())
        case 6:
            let body = HTTPRequest.chunked(self.content(), size: 1 + self.random.below(2000))
            return HTTPRequest.bytes("PUT", target, self.writeFields() + [("Transfer-Encoding", "chunked")], body: body)
        case 7, 8: return self.form()
        case 9: return HTTPRequest.bytes("DELETE", target, self.writeFields())
        case 10:
            return self.random.below(2) == 0
                ? HTTPRequest.bytes("POST", "/delete" + target, body: [])
                : HTTPRequest.bytes("GET", "/delete" + target, [("User-Agent", "curl/8.5.0")])
        default:
            return self.random.below(2) == 0
                ? HTTPRequest.bytes("PROPFIND", "/", body: self.content()) : HTTPRequest.bytes("GET", "/?json&limit=3")
        }
    }

    private mutating func form() -> [UInt8] {
        var form = Form(boundary: self.random.pick(["X", "WebKitFormBoundary7aYx0"]))
        for _ in 0...self.random.below(3) {
            form.file(self.random.pick([bytes("a"), bytes("b.txt"), bytes("한.txt"), bytes("d/e.bin")]), self.content())
        }
        form.field("note", "x")
        return HTTPRequest.post(form, to: self.random.pick(["/", "/sub/"]), json: self.random.below(2) == 0)
    }

    private mutating func readFields() -> [(String, String)] {
        self.random.pick([
            [], [], [("Range", "bytes=1-3")], [("Range", "bytes=-2")], [("Range", "bytes=0-0,2-3")], [("If-None-Match", "*")],
            [("If-Modified-Since", "Thu, 01 Jan 2099 00:00:00 GMT")], [("If-Match", "*")], [("Connection", "close")],
        ])
    }

    private mutating func writeFields() -> [(String, String)] {
        self.random.pick([
            [], [], [], [("If-None-Match", "*")], [("If-Match", "*")], [("Expect", "100-continue")], [("Connection", "close")],
        ])
    }

    /// Sometimes what looks like a request, or like a form's end.
    private mutating func content() -> [UInt8] {
        switch self.random.below(4) {
        case 0: return bytes("\r\n--X--\r\nDELETE /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        case 1: return bytes("0\r\n\r\nPUT /smuggled HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx")
        default:
            let count = self.random.below(3000)
            return self.random.bytes(count)
        }
    }

    // MARK: As it should not be

    private mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0...self.random.below(3) where !bytes.isEmpty {
            // Most of what matters is in the head.
            let end = self.random.below(4) == 0 ? bytes.count : min(bytes.count, 200)
            let start = self.random.below(end)
            let stretch = start..<min(bytes.count, start + 1 + self.random.below(40))
            switch self.random.below(10) {
            case 0: bytes[start] ^= 1 << UInt8(self.random.below(8))
            case 1: bytes[start] = UInt8(self.random.below(256))
            case 2: bytes.removeSubrange(stretch)
            case 3: bytes.insert(contentsOf: bytes[stretch], at: start)
            case 4: bytes.insert(contentsOf: self.random.pick(Self.words), at: start)
            case 5: bytes.replaceSubrange(stretch, with: self.random.pick(Self.words))
            case 6: bytes.removeSubrange(start...)
            case 7: bytes.insert(contentsOf: self.request().prefix(60), at: start)
            case 8: self.insertLine(&bytes, after: start)
            default: self.swapLines(&bytes)
            }
        }
        return bytes
    }

    /// One more field, where one may be.
    private mutating func insertLine(_ bytes: inout [UInt8], after start: Int) {
        guard let end = bytes[start...].firstIndex(of: 10) else { return }
        bytes.insert(contentsOf: self.random.pick(Self.words.filter { $0.count > 4 && $0.last == 10 }), at: end + 1)
    }

    /// Two lines change places, or one is there twice.
    private mutating func swapLines(_ bytes: inout [UInt8]) {
        guard let length = bytes[...].headLength else { return }
        var lines = bytes[..<length].split(separator: 13, omittingEmptySubsequences: false).map { Array($0.drop { $0 == 10 }) }
        let (one, other) = (self.random.below(lines.count), self.random.below(lines.count))
        if one == other { lines.insert(lines[one], at: one) } else { lines.swapAt(one, other) }
        bytes.replaceSubrange(..<length, with: Array(lines.joined(separator: [13, 10])))
    }
}
