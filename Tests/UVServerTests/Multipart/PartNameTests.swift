import Testing
import UVServer

@Suite("The names of a form part")
struct PartNameTests {
    private func head(_ disposition: [UInt8]) throws -> PartHead? {
        let body = Array("--B\r\nContent-Disposition: ".utf8) + disposition + Array("\r\n\r\n\r\n--B--".utf8)
        let (whole, differsAt) = everyCut(body, boundary: "B")
        #expect(differsAt == nil)
        return try whole.get().first?.head
    }

    @Test(
        "are taken as bytes, with only the browsers' quote undone",
        arguments: [
            (#"filename="plain.txt""#, "plain.txt"), ("filename=bare.txt", "bare.txt"), ("filename= ", ""),
            (#"filename="" ; "#, ""),
            (#"filename="X©onst 중문 Å.ts""#, "X©onst 중문 Å.ts"), ("filename=\"\u{308}uber.txt\"", "\u{308}uber.txt"),
            ("filename=\"a<\u{338}&\u{301}\"", "a<\u{338}&\u{301}"),
            ("filename=\"\u{1106}\u{1162}\u{11A8}.txt\"", "\u{1106}\u{1162}\u{11A8}.txt"),
            (#"filename="say %22hi%22.txt""#, #"say "hi".txt"#), (#"filename="100%0Apples %41.txt""#, "100%0Apples %41.txt"),
            (#"filename="%0D%0A%2""#, "%0D%0A%2"), (#"filename="%%2222%""#, #"%"22%"#), (#"filename="%2522""#, "%2522"),
            (#"filename="report=v2;final.pdf""#, "report=v2;final.pdf"), (#"filename="; name=x""#, "; name=x"),
            (#"filename="a\"b.txt""#, #"a"b.txt"#), (#"filename="C:\My Files\new.txt""#, #"C:\My Files\new.txt"#),
            (#"filename="../../a14.txt""#, "../../a14.txt"), ("FileName=\"x\"", "x"), (#"filename="a"; filename*=UTF-8''b"#, "a"),
            ("filename*=UTF-8''%E2%82%AC%20rates", "€ rates"), ("filename*=utf-8'en'a%0Ab%0d%22", "a%0Ab%0d\""),
        ])
    func names(_ parameter: String, _ expected: String) throws {
        for text in [
            "form-data; name=\"file\"; \(parameter)", "Form-Data ;;name=file;\(parameter)",
            "form-data; \(parameter); x=y; name=file",
        ] {
            let head = try self.head(Array(text.utf8))
            #expect(head?.filename == Array(expected.utf8), "\(text)")
            #expect(head?.name == Array("file".utf8), "\(text)")
        }
    }

    @Test("need not be UTF-8")
    func anyBytes() throws {
        #expect(try self.head(Array("form-data; name=a; filename=\"".utf8) + [0xFF, 0x80, 0x22])?.filename == [0xFF, 0x80])
    }

    @Test("are absent from a plain field")
    func plainField() throws {
        #expect(
            try self.head(Array("form-data; name=\"a;filename=b\"".utf8))
                == PartHead(name: Array("a;filename=b".utf8), filename: nil, contentType: nil))
    }

    @Test(
        "that cannot be read without guessing are refused",
        arguments: [
            "", "form-data", "form-data; filename=x", "attachment; name=a", "form-data; name=a; name=b", "form-data name=a",
            "form-data; name",
            "form-data; name=\"a", "form-data; name=\"a\"b", "form-data; name=a\"b", "form-data; =a", "form-data; name =a",
            "form-data; name=a; filename=x; filename=y", "form-data; name=a; filename*=UTF-8''%4",
            "form-data; name=a; filename*=UTF-8''%zz",
            "form-data; name=a; filename*=latin1''x", "form-data; name=a; filename*=x", #"form-data; name=a; filename="C:\"#,
        ])
    func refused(_ disposition: String) {
        #expect(throws: MultipartError.badDisposition) { try self.head(Array(disposition.utf8)) }
    }
}
