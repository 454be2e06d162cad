import Testing
import UVServer

@Suite("Percent-encoding")
struct PercentEncodingTests {
    @Test(
        "decodes once and leaves plus signs alone",
        arguments: [
            ("", ""), ("a", "a"), ("%41", "A"), ("%2541.txt", "%41.txt"), (".%252e/.%252e", ".%2e/.%2e"), ("%2e%2E", ".."),
            ("a+b.txt", "a+b.txt"), ("a%2Bb.txt", "a+b.txt"), ("a%20b.txt", "a b.txt"), ("%25%25", "%%"), ("%ed%95%9C", "한"),
        ])
    func decodes(_ encoded: String, _ expected: String) {
        #expect(PercentEncoding.decode(encoded.utf8) == Array(expected.utf8))
    }

    @Test("refuses malformed escapes", arguments: ["%", "a%", "%4", "%4g", "%g4", "%%41", "% 41", "%+1", "%-1", "%u00e9"])
    func refuses(_ encoded: String) {
        #expect(PercentEncoding.decode(encoded.utf8) == nil)
    }

    @Test("decodes bytes that are not text")
    func decodesBytes() {
        #expect(PercentEncoding.decode("%ff%00%2F".utf8) == [0xFF, 0x00, 0x2F])
        #expect(PercentEncoding.decode([0xFF, 0x00]) == [0xFF, 0x00])
    }

    @Test(
        "encodes everything a link could stumble over",
        arguments: [
            ("what?", "what%3F"), ("a#b.txt", "a%23b.txt"), ("my:file", "my%3Afile"), ("50%.txt", "50%25.txt"),
            ("a+b", "a%2Bb"), ("a b", "a%20b"), ("<img src=x>", "%3Cimg%20src%3Dx%3E"), ("a/b\\c", "a%2Fb%5Cc"),
            ("\"'&;", "%22%27%26%3B"), ("한글", "%ED%95%9C%EA%B8%80"), ("aZ09-._~", "aZ09-._~"), ("\r\n", "%0D%0A"),
        ])
    func encodes(_ plain: String, _ expected: String) {
        #expect(PercentEncoding.encodeElement(plain.utf8) == expected)
    }

    @Test("every byte comes back")
    func everyByte() {
        let bytes = [UInt8](0...255)
        #expect(PercentEncoding.decode(PercentEncoding.encodeElement(bytes).utf8) == bytes)
    }

    @Test("an escape cut anywhere is refused or whole")
    func everyCut() {
        let encoded = Array("a%2Fb%ED".utf8)
        let whole: Set<Int> = [0, 1, 4, 5, 8]
        for cut in 0...encoded.count {
            #expect((PercentEncoding.decode(encoded[..<cut]) != nil) == whole.contains(cut), "cut at \(cut)")
        }
    }
}
