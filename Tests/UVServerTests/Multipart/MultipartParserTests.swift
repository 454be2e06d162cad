import Testing
import UVServer

@Suite("A multipart body")
struct MultipartParserTests {
    private func file(_ boundary: String, _ content: [UInt8]) -> [UInt8] {
        part(boundary, #"name="file"; filename="f.bin""#, content) + Array("--\(boundary)--\r\n".utf8)
    }

    @Test(
        "keeps content byte for byte, however it is cut",
        arguments: [
            "", "ab\r", "\r", "\n", "\r\n", "\r\r\n", "\r\n\r\n", "--", "--W", "HEAD\r\n--not the boundary\r\nTAIL\r\n--",
            "\r\n--WB", "\r\n-\r\n--\r\n--W\r\n--WB\r\n--WX7", "\r\r\n--WB\r\r\n--WB\r\n", "--WB7", "x--WB7--\r\n", "\n--WB7--\n",
            "\r--WB7--\r", "\r\n --WB7", "\r\n- -WB7", "\r\n--wb7--\r\n", "\r\n--\r\nContent-Disposition: form-data\r\n\r\n",
            "\u{0}\u{1}\r\n\u{0}", "e\u{301}\r\n--W\u{301}", String(repeating: "\r", count: 70),
            String(repeating: "\r\n--WB", count: 20),
            String(repeating: "a", count: 31) + "\r" + String(repeating: "b", count: 64),
        ])
    func keepsContent(_ content: String) throws {
        let body = self.file("WB7", Array(content.utf8))
        let (whole, differsAt) = everyCut(body, boundary: "WB7")
        #expect(differsAt == nil)
        #expect(try whole.get().map(\.content) == [Array(content.utf8)])
    }

    @Test(
        "is read alike under boundaries that repeat themselves or look like the framing",
        arguments: [
            "a", "aaaaaaaa", "-", "--", "----------a", "--B", "ab-ab-abc", "gc0p4Jq0:M2Yt08jU", "a b", "=_?='()+,./",
            String(repeating: "a", count: 70),
        ])
    func boundaries(_ boundary: String) throws {
        for length in 0..<boundary.utf8.count {
            // Every proper prefix of the delimiter, doubled, and followed by a byte no boundary goes on with.
            let near = "\r\n--\(boundary.prefix(length))"
            let content = Array("\(near)\(near)*\r\(near)\r".utf8)
            let body = self.file(boundary, content)
            #expect(try outcome([body[...]], boundary, MultipartLimits()).get().map(\.content) == [content])
            #expect(
                try outcome(body.indices.map { body[$0...$0] }, boundary, MultipartLimits()).get().map(\.content) == [content])
        }
        #expect(everyCut(self.file(boundary, Array("\r\n--*".utf8)), boundary: boundary).differsAt == nil)
    }

    @Test(
        "keeps long floods of what a delimiter begins with",
        arguments: [
            "\r", "\r\n", "\r\n-", "\r\n--", "\r\n--a", "a", "\r\r\n--aaaaaaaaaaaaaaaaaaaa", "\n\r", "-\r", "--aaaaaaaa\r\n",
        ])
    func floods(_ unit: String) throws {
        let boundary = String(repeating: "a", count: 70)
        let content = Array(String(repeating: unit, count: 200_000 / unit.utf8.count).utf8)
        let body = self.file(boundary, content)
        for size in [7, 4096, 65_536] {
            let pieces = stride(from: 0, to: body.count, by: size).map { body[$0..<min($0 + size, body.count)] }
            let parts = try outcome(pieces, boundary, MultipartLimits()).get()
            #expect(parts.count == 1 && parts[0].content == content, "pieces of \(size)")
        }
    }

    @Test("keeps every size of file near a buffer's edge, and the field behind it")
    func sizes() throws {
        for size in Array(65_200...65_560) + Array(0...130) {
            let content = [UInt8](repeating: 0xFF, count: size)
            let body =
                part("WB7", #"name="file"; filename="f""#, content) + part("WB7", #"name="note""#, Array("A1".utf8))
                + Array("--WB7--".utf8)
            let cut = min(65_536, body.count)
            let parts = try outcome([body[..<cut], body[cut...]], "WB7", MultipartLimits()).get()
            #expect(parts.count == 2 && parts[0].content == content && parts[1].content == Array("A1".utf8), "\(size)")
        }
    }

    @Test(
        "may have a preamble, blanks behind its boundaries and an epilogue",
        arguments: [
            ("", "", ""), ("\r\n\r\nsome words\r\n", "", ""), ("words\r\n--W\r\n", " ", "\r\nbye"),
            ("\r\n", " \t ", "\r\n--WB7\r\n"),
            ("--WB\r\n\r\n", "\t", " \r\n"), ("\n\r\r\n", "", "\nx"), ("", "", "\r\n"), ("", "", " \t"),
        ])
    func surroundings(_ preamble: String, _ padding: String, _ epilogue: String) throws {
        let text =
            "\(preamble)--WB7\(padding)\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--WB7\(padding)\r\n"
            + "content-disposition:form-data;name=b\r\nX-Other: 1\r\n\r\ny\r\n--WB7--\(epilogue)"
        let (whole, differsAt) = everyCut(Array(text.utf8), boundary: "WB7")
        #expect(differsAt == nil)
        #expect(try whole.get().map(\.content) == [Array("x".utf8), Array("y".utf8)])
    }

    @Test("without parts is an empty form", arguments: ["--WB7--", "--WB7--\r\n", "\r\n--WB7--\r\n"])
    func empty(_ text: String) throws {
        #expect(try everyCut(Array(text.utf8), boundary: "WB7").whole.get().isEmpty)
    }

    @Test(
        "that is malformed throws, however it is cut",
        arguments: [
            ("", .endedEarly), ("no delimiter", .endedEarly), ("--WB7", .endedEarly), ("--WB7\r\n", .endedEarly),
            ("--WB7-", .endedEarly),
            ("x--WB7--", .endedEarly), ("\n--WB7--", .endedEarly),
            ("--WB7\nContent-Disposition: form-data; name=a\n\nx\n--WB7--\n", .badDelimiterLine),
            ("\n--WB7\nContent-Disposition: form-data; name=a\n\nx\n--WB7--\n", .endedEarly),
            ("--WB7\r\nContent-Disposition: form-data; name=a\n\nx\r\n--WB7--", .badPartHead),
            ("--WB7\r\nContent-Disposition: form-data; name=a\r\n\nx\r\n--WB7--", .badPartHead),
            ("--WB7\r\nContent-Disposition: form-data; name=a\r\r\n\r\nx\r\n--WB7--", .badPartHead),
            ("--WB7\r\nContent-Disposition: form-data; name=a\r\n\r\nx\n--WB7--\n", .endedEarly),
            ("--WB7\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--WB7--junk", .badDelimiterLine),
            ("--WB7\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--WB7x\r\n--WB7--", .badDelimiterLine),
            ("--WB7\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--WB7 --", .badDelimiterLine),
            ("--WB7-\r\n", .badDelimiterLine), ("--WB7\r\r\n", .badDelimiterLine), ("--WB7\rx", .badDelimiterLine),
            ("--WB7\r\n\r\nx\r\n--WB7--", .badDisposition),
            ("--WB7\r\nContent-Type: text/plain\r\n\r\nx\r\n--WB7--", .badDisposition),
            (
                "--WB7\r\nContent-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=a\r\n\r\n",
                .badDisposition
            ),
            ("--WB7\r\nContent-Disposition: form-data; filename=a\r\n\r\n\r\n--WB7--", .badDisposition),
            ("--WB7\r\nContent-Disposition : form-data; name=a\r\n\r\n", .badPartHead), ("--WB7\r\n: x\r\n\r\n", .badPartHead),
            ("--WB7\r\nContent-Disposition: form-data;\r\n name=a\r\n\r\n", .badDisposition),
            ("--WB7\r\nword\r\n\r\n", .badPartHead),
            ("--WB7\r\nX: 1\r\n folded\r\n\r\n", .badPartHead),
        ] as [(String, MultipartError)])
    func malformed(_ text: String, _ error: MultipartError) {
        let (whole, differsAt) = everyCut(Array(text.utf8), boundary: "WB7")
        #expect(differsAt == nil)
        #expect(whole == .failure(error))
    }

    @Test("that is cut off anywhere before its last two hyphens is no success")
    func truncated() throws {
        let body = part("WB7", #"name="file"; filename="f""#, Array("some\r\ncontent".utf8)) + Array("--WB7--".utf8)
        for length in 0..<body.count {
            #expect(outcome([body[..<length]], "WB7", MultipartLimits()) == .failure(.endedEarly), "\(length)")
        }
        #expect(try outcome([body[...]], "WB7", MultipartLimits()).get().count == 1)
    }

    @Test("with a form that is sent without choosing a file has an empty file name")
    func noFile() throws {
        let text =
            "--WB7\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n"
            + "Content-Type: application/octet-stream\r\n\r\n\r\n--WB7--\r\n"
        let head = PartHead(name: Array("file".utf8), filename: [], contentType: "application/octet-stream")
        #expect(everyCut(Array(text.utf8), boundary: "WB7").whole == .success([CollectedForm.Part(head: head)]))
    }

    @Test("gives every part its own head and nothing of the one before")
    func ownHeads() throws {
        let text =
            "--B\r\nContent-Disposition: form-data; name=a; filename=x\r\nContent-Type: text/plain\r\n\r\n1\r\n"
            + "--B\r\nContent-Disposition: form-data; name=b\r\n\r\n2\r\n--B--"
        #expect(
            try everyCut(Array(text.utf8), boundary: "B").whole.get().map(\.head) == [
                PartHead(name: Array("a".utf8), filename: Array("x".utf8), contentType: "text/plain"),
                PartHead(name: Array("b".utf8), filename: nil, contentType: nil),
            ])
    }

    @Test("past a limit throws, and at it does not")
    func limits() {
        var limits = MultipartLimits()
        limits.parts = 3
        limits.partHeadBytes = 60
        limits.partHeadFields = 2
        limits.preambleBytes = 8
        limits.epilogueBytes = 10
        let disposition = "Content-Disposition: form-data; name=a\r\n"
        let rows: [(String, MultipartError?)] = [
            (String(repeating: "--B\r\n\(disposition)\r\nx\r\n", count: 3), nil),
            (String(repeating: "--B\r\n\(disposition)\r\nx\r\n", count: 4), .tooManyParts(limit: 3)),
            ("--B\r\n\(disposition)X: 45678901234567\r\n\r\n\r\n", .partHeadTooLong(limit: 60)),
            ("--B\r\n\(disposition)X: 4567890123456\r\n\r\n\r\n", nil),
            ("--B \r\n\(disposition)X: 4567890123456\r\n\r\n\r\n", .partHeadTooLong(limit: 60)),
            ("--B\(String(repeating: " ", count: 61))", .partHeadTooLong(limit: 60)),
            ("--B\r\n\(disposition)A:\r\n\r\n\r\n", nil),
            (String(repeating: "--B\r\n\(disposition)X: 4567890123456\r\n\r\n\r\n", count: 2), nil),
            ("--B\r\n\(disposition)A:\r\nB:\r\n\r\n\r\n", .tooManyPartFields(limit: 2)),
            ("12345678\r\n--B\r\n\(disposition)\r\n\r\n", nil),
            ("123456789\r\n--B\r\n\(disposition)\r\n\r\n", .preambleTooLong(limit: 8)),
            ("\r\n\r\n\r\n\r\n\r\n--B\r\n\(disposition)\r\n\r\n", nil),
            ("\r\n\r\n\r\n\r\n\r\r\n--B\r\n\(disposition)\r\n\r\n", .preambleTooLong(limit: 8)),
            // Five bytes are added at the end of each.
            ("--B--  \r\n1", nil), ("--B--  \r\n12", .epilogueTooLong(limit: 10)),
            ("--B--\(String(repeating: " ", count: 11))", .epilogueTooLong(limit: 10)),
        ]
        for (text, error) in rows {
            let (whole, differsAt) = everyCut(Array("\(text)--B--".utf8), boundary: "B", limits: limits)
            #expect(differsAt == nil)
            switch whole {
            case .success: #expect(error == nil, "\(text)")
            case .failure(let thrown): #expect(thrown == error, "\(text)")
            }
        }
        #expect(MultipartError.tooManyParts(limit: 3).isTooLarge && !MultipartError.endedEarly.isTooLarge)
    }

    @Test("of twenty thousand tiny parts is refused")
    func tinyParts() {
        let body = [[UInt8]](repeating: part("B", "name=a", [0x61]), count: 20_000).flatMap { $0 }
        #expect(outcome([body[...]], "B", MultipartLimits()) == .failure(.tooManyParts(limit: 1000)))
    }

    @Test("that failed keeps failing")
    func staysFailed() {
        var parser = try? MultipartParser(
            boundary: Boundary(contentType: "multipart/form-data; boundary=B"), limits: MultipartLimits())
        let bad = Array("--Bx".utf8)
        let good = Array("\r\n--B--".utf8)
        for bytes in [bad, good] {
            var index = 0
            #expect(throws: MultipartError.badDelimiterLine) { try parser?.next(bytes.span, at: &index) }
        }
        #expect(throws: MultipartError.badDelimiterLine) { try parser?.finish() }
    }
}
