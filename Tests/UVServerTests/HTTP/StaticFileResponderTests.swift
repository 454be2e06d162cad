import Glibc
import TestSupport
import Testing

@testable import UVServer

/// The file is `0123456789`, changed at 1,000,000,000 seconds since 1970.
@Suite("The static file responder") struct StaticFileResponderTests {
    private static let modified = "Sun, 09 Sep 2001 01:46:40 GMT"
    private static let before = "Sun, 09 Sep 2001 01:46:39 GMT"
    private static let after = "Sun, 09 Sep 2001 01:46:41 GMT"

    private let place: TemporaryFolder
    private let folder: Folder
    /// The file's tag, quotes included.
    private let tag: String

    init() throws {
        self.place = try TemporaryFolder()
        try self.place.write("digits", "0123456789")
        self.place.setModified("digits", 1_000_000_000)
        self.folder = try Folder(path: self.place.path)
        self.tag = StaticFileResponder.validators(of: try self.folder.status(at: [Array("digits".utf8)])).tag.description
    }

    /// Asks for the file; `TAG` in `lines` stands for its tag.
    private func ask(_ method: String, _ lines: [String] = [], name: String = "digits") throws -> StaticAnswer {
        let request = "\(method) / HTTP/1.1\r\nHost: a\r\n" + lines.map { "\(self.filled($0))\r\n" }.joined() + "\r\n"
        var fields = Fields()
        fields[.contentDisposition] = "inline"
        fields[.xContentTypeOptions] = "nosniff"
        guard case .file(let file, let status) = try self.folder.open([Array(name.utf8)]) else {
            throw TestFailure("\(name) is no file")
        }
        let response = StaticFileResponder.respond(
            to: try head(request), file: file, status: status, type: "text/plain", fields: fields)
        return StaticAnswer(response, content: try #require(self.place.text(name)))
    }

    private func filled(_ text: String) -> String {
        let parts = text.split(separator: "TAG", omittingEmptySubsequences: false)
        return parts.joined(separator: self.tag)
    }

    /// The fields of every answer with content, and those that this one has besides.
    private func fields(_ own: String...) -> [String] {
        let common = [
            "Accept-Ranges: bytes", "Content-Disposition: inline", "ETag: \(self.tag)", "Last-Modified: \(Self.modified)",
            "X-Content-Type-Options: nosniff",
        ]
        return (common + own).sorted()
    }

    @Test("sends the whole file with its validators and the caller's fields, to GET and to HEAD", arguments: ["GET", "HEAD"])
    func whole(_ method: String) throws {
        let answer = try self.ask(method)
        #expect(answer.status == .ok)
        #expect(answer.lines == self.fields("Content-Type: text/plain"))
        #expect(answer.body == "0123456789" && answer.slices == 1)
    }

    @Test("sends one range with its place in the file, and nothing else of the file")
    func oneRange() throws {
        let answer = try self.ask("GET", ["Range: bytes=2-4"])
        #expect(answer.status == .partialContent)
        #expect(answer.lines == self.fields("Content-Range: bytes 2-4/10", "Content-Type: text/plain"))
        #expect(answer.body == "234" && answer.slices == 1)
    }

    @Test("sends several ranges as the parts of one body, in the order asked for")
    func severalRanges() throws {
        let answer = try self.ask("GET", ["Range: bytes=7-, 0-1, 3-3"])
        #expect(answer.status == .partialContent)
        let type = try #require(answer.fields[.contentType])
        let prefix = "multipart/byteranges; boundary="
        #expect(type.hasPrefix(prefix) && answer.slices == 3)
        #expect(answer.lines == self.fields("Content-Type: \(type)"))
        let boundary = type.dropFirst(prefix.count)
        func part(_ range: String, _ content: String) -> String {
            "--\(boundary)\r\nContent-Type: text/plain\r\nContent-Range: bytes \(range)/10\r\n\r\n\(content)\r\n"
        }
        #expect(answer.body == part("7-9", "789") + part("0-1", "01") + part("3-3", "3") + "--\(boundary)--\r\n")
    }

    @Test("announces for several ranges exactly the bytes that it sends")
    func length() throws {
        guard case .file(let file, let status) = try self.folder.open([Array("digits".utf8)]) else { throw Unfinished() }
        let head = try head("GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=0-1,5-6\r\n\r\n")
        let response = StaticFileResponder.respond(to: head, file: file, status: status, type: "text/plain", fields: Fields())
        let announced = response.body.length
        #expect(StaticAnswer(response, content: "0123456789").body?.utf8.count == announced.map { Int($0) })
    }

    @Test("makes a new boundary for every answer: one that is known could be put into a file")
    func boundaries() throws {
        let types = try (0..<8).map { _ in try self.ask("GET", ["Range: bytes=0-1,5-6"]).fields[.contentType] }
        #expect(Set(types).count == 8)
    }

    @Test("refuses a range past the end with the file's size and without the file's type")
    func unsatisfiable() throws {
        let answer = try self.ask("GET", ["Range: bytes=10-"])
        #expect(answer.status == .rangeNotSatisfiable && answer.body == nil)
        #expect(answer.fields[.contentRange] == "bytes */10")
        #expect(answer.fields[.contentType] == nil && answer.fields[.contentDisposition] == nil)
        #expect(answer.fields[.xContentTypeOptions] == "nosniff")
    }

    @Test(
        "sends the whole file where a range does not count",
        arguments: [
            ("HEAD", ["Range: bytes=2-4"]), ("HEAD", ["Range: bytes=10-"]), ("GET", ["Range: lines=2-4"]),
            ("GET", ["Range: bytes=2-4", "Range: bytes=2-4"]), ("GET", ["Range: bytes=2-4", "If-Range: \"other\""]),
            ("GET", ["Range: bytes=10-", "If-Range: \"other\""]), ("GET", ["Range: bytes=2-4", "If-Range: W/TAG"]),
            ("GET", ["Range: bytes=2-4", "If-Range: \(Self.after)"]),
        ])
    func ignoredRange(_ method: String, _ lines: [String]) throws {
        let answer = try self.ask(method, lines)
        #expect(answer.status == .ok && answer.body == "0123456789")
        #expect(answer.fields[.contentRange] == nil)
    }

    @Test("sends the range where If-Range names this very version", arguments: ["TAG", Self.modified])
    func currentRange(_ validator: String) throws {
        #expect(try self.ask("GET", ["Range: bytes=2-4", "If-Range: \(validator)"]).body == "234")
    }

    @Test("answers for an empty file, even when a range of it is asked for", arguments: [[], ["Range: bytes=0-0"]])
    func empty(_ lines: [String]) throws {
        try self.place.write("empty", "")
        let answer = try self.ask("GET", lines, name: "empty")
        #expect(answer.status == .ok && answer.body == "")
    }

    @Test(
        "tells a client whose copy is current so, with its validators and no body",
        arguments: [
            ["If-None-Match: TAG"], ["If-None-Match: W/TAG"], ["If-None-Match: *"],
            ["If-None-Match: \"a\"", "If-None-Match: TAG"], ["If-Modified-Since: \(Self.modified)"],
            ["If-Modified-Since: \(Self.after)"], ["If-None-Match: TAG", "Range: bytes=2-4"],
            ["If-None-Match: TAG", "Range: bytes=10-"], ["If-None-Match: TAG", "If-Modified-Since: \(Self.before)"],
        ])
    func notModified(_ lines: [String]) throws {
        for method in ["GET", "HEAD"] {
            let answer = try self.ask(method, lines)
            #expect(answer.status == .notModified && answer.body == nil)
            #expect(answer.fields[.etag] == self.tag && answer.fields[.lastModified] == Self.modified)
            #expect(answer.fields[.contentType] == nil && answer.fields[.contentRange] == nil)
        }
    }

    @Test(
        "refuses when the client means another version, before it looks at a range",
        arguments: [
            ["If-Match: \"other\""], ["If-Match: W/TAG"], ["If-Unmodified-Since: \(Self.before)"],
            ["If-Match: \"other\"", "Range: bytes=2-4"], ["If-Match: \"other\"", "Range: bytes=10-"],
            ["If-Match: \"other\"", "If-None-Match: TAG"],
        ])
    func failed(_ lines: [String]) throws {
        let answer = try self.ask("GET", lines)
        #expect(answer.status == .preconditionFailed && answer.body == nil)
        #expect(answer.fields[.etag] == self.tag)
    }

    @Test(
        "sends the file when its conditions hold",
        arguments: [
            ["If-Match: TAG"], ["If-Match: *"], ["If-Match: \"other\"", "If-Match: TAG"],
            ["If-Unmodified-Since: \(Self.modified)"], ["If-None-Match: \"other\""], ["If-Modified-Since: \(Self.before)"],
            ["If-None-Match: \"other\"", "If-Modified-Since: \(Self.after)"],
        ])
    func proceeds(_ lines: [String]) throws {
        #expect(try self.ask("GET", lines).body == "0123456789")
    }

    @Test("makes a strong tag that any change of inode, size or time makes another")
    func validators() {
        func validators(_ change: (inout stat) -> Void = { _ in }) -> Preconditions.Validators {
            var raw = stat()
            raw.st_mode = S_IFREG
            (raw.st_ino, raw.st_size) = (37, 1)
            raw.st_mtim = timespec(tv_sec: 7, tv_nsec: 9)
            change(&raw)
            return StaticFileResponder.validators(of: FileStatus(raw))
        }
        #expect(validators() == validators())
        #expect(!validators().tag.isWeak && validators().modified == 7)
        let changed = [
            validators(), validators { $0.st_ino = 38 }, validators { $0.st_size = 2 }, validators { $0.st_mtim.tv_sec = -7 },
            validators { $0.st_mtim.tv_nsec = 10 }, validators { $0.st_mtim.tv_sec = 79 },
            // The same digits (37 is 11 in base 36), with the border between two numbers elsewhere.
            validators { ($0.st_ino, $0.st_size) = (1, 37) },
        ]
        #expect(Set(changed.map(\.tag.description)).count == changed.count)
    }
}
