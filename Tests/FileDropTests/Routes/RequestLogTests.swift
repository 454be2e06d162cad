import Testing
import UVServer

@testable import FileDrop

@Suite("The request log") struct RequestLogTests {
    private func line(_ format: LogFormat, path: String, isWhole: Bool = true) -> String {
        let record = RequestRecord(
            client: "192.168.1.7", method: "GET", path: Array(path.utf8), status: 200, sentBytes: 12,
            isWhole: isWhole, duration: .milliseconds(34)
        )
        return RequestLog(format: format).line(record, at: 0)
    }

    @Test("is one line of words") func text() {
        #expect(self.line(.text, path: "/a") == "1970-01-01T00:00:00Z 192.168.1.7 GET /a 200 12 34ms")
    }

    @Test("is one object a line as JSON") func json() {
        let expected = """
            {"bytes":12,"client":"192.168.1.7","method":"GET","milliseconds":34,"status":200,"target":"/a\\"b",\
            "time":"1970-01-01T00:00:00Z"}
            """
        #expect(self.line(.json, path: "/a\"b") == expected)
    }

    @Test("says which answers did not go out to their end") func aborted() {
        #expect(self.line(.text, path: "/a", isWhole: false) == "1970-01-01T00:00:00Z 192.168.1.7 GET /a 200 12 34ms aborted")
        #expect(self.line(.json, path: "/a", isWhole: false).hasPrefix(#"{"aborted":true,"#))
    }

    @Test("tells failures in its own format") func failures() {
        let failure = UVError(code: -5, call: "fsync")
        #expect(RequestLog(format: .text).line(failure, at: 0).hasPrefix("1970-01-01T00:00:00Z failed: fsync"))
        #expect(RequestLog(format: .json).line(failure, at: 0).hasPrefix(#"{"failed":"fsync"#))
        #expect(RequestLog(format: .json).line(failure, at: 0).hasSuffix(#""time":"1970-01-01T00:00:00Z"}"#))
    }

    @Test("cannot be written by a request", arguments: ["/a\nb", "/a b", "/\u{1B}[2J", "/é"])
    func injection(_ path: String) {
        let line = self.line(.text, path: path)
        #expect(line.split(separator: " ").count == 7)
        #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
    }

    @Test("cuts what is so long that lines of several processes could mix", arguments: ["a", "\"", "\\", "é"])
    func long(_ letter: String) {
        for format in [LogFormat.text, .json] {
            let line = self.line(format, path: "/" + String(repeating: letter, count: 8000))
            #expect(line.utf8.count < LogWriter.wholeBytes && line.contains("..."), "\(line.utf8.count)")
            #expect(format == .text ? line.hasSuffix(" 200 12 34ms") : line.hasSuffix("}"))
        }
    }
}
