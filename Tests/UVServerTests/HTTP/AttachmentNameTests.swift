import Testing
import UVServer

@Suite("Download names")
struct AttachmentNameTests {
    @Test(
        "are ASCII whatever the file is called",
        arguments: [
            ("a.pdf", "filename=\"a.pdf\""), ("a b;c=d, e.pdf", "filename=\"a b;c=d, e.pdf\""),
            ("한글 \"v2\".pdf", "filename=\"__ _v2_.pdf\"; filename*=UTF-8''%ED%95%9C%EA%B8%80%20%22v2%22.pdf"),
            ("naïve.txt", "filename=\"na_ve.txt\"; filename*=UTF-8''na%C3%AFve.txt"),
            ("50%41.txt", "filename=\"50_41.txt\"; filename*=UTF-8''50%2541.txt"),
            ("a\\b", "filename=\"a_b\"; filename*=UTF-8''a%5Cb"), ("it's(1)*.txt", "filename=\"it's(1)*.txt\""),
            ("a\r\nX: y", "filename=\"a__X: y\""), ("a\0b\u{7F}c/d", "filename=\"a_b_c_d\""),
            ("é'.txt", "filename=\"_'.txt\"; filename*=UTF-8''%C3%A9%27.txt"),
            ("👍.txt", "filename=\"_.txt\"; filename*=UTF-8''%F0%9F%91%8D.txt"), ("", "filename=\"download\""),
        ])
    func table(_ name: String, _ expected: String) {
        let bytes = Array(name.utf8)
        #expect(AttachmentName.header(disposition: .attachment, name: bytes) == "attachment; \(expected)")
        #expect(AttachmentName.header(disposition: .inline, name: bytes) == "inline; \(expected)")
    }

    @Test("of bytes that are not UTF-8 are repaired")
    func repaired() {
        let header = AttachmentName.header(disposition: .attachment, name: [0x61, 0xFF, 0x62])
        #expect(header == "attachment; filename=\"a_b\"; filename*=UTF-8''a%EF%BF%BDb")
    }

    @Test("of every byte leave the field printable")
    func everyByte() {
        for byte in UInt8.min...UInt8.max {
            let header = AttachmentName.header(disposition: .attachment, name: [0x61, byte, 0x62])
            #expect(header.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
            #expect(header.utf8.count { $0 == UInt8(ascii: "\"") } == 2)
        }
    }
}
