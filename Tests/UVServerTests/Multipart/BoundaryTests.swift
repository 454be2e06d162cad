import Testing
import UVServer

@Suite("A boundary")
struct BoundaryTests {
    @Test(
        "is found quoted and unquoted",
        arguments: [
            ("multipart/form-data; boundary=WB7", "WB7"), ("Multipart/Form-Data;BOUNDARY=WB7", "WB7"),
            (#"multipart/form-data; boundary="gc0p4Jq0:M2Yt08jU""#, "gc0p4Jq0:M2Yt08jU"),
            ("multipart/form-data; boundary=gc0p4Jq0:M2Yt08jU", "gc0p4Jq0:M2Yt08jU"),
            (#"multipart/form-data; charset=utf-8; boundary="a b" ; x=y"#, "a b"), ("multipart/form-data; boundary=a=b ;", "a=b"),
            ("multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW", "----WebKitFormBoundary7MA4YWxkTrZu0gW"),
            ("multipart/form-data; x=\"; boundary=no\"; boundary=yes", "yes"),
            ("multipart/form-data; boundary=\(String(repeating: "a", count: 70))", String(repeating: "a", count: 70)),
        ])
    func found(_ contentType: String, _ expected: String) throws {
        #expect(try Boundary(contentType: contentType).bytes == Array(expected.utf8))
    }

    @Test(
        "that is missing, repeated or not allowed is refused",
        arguments: [
            ("", .notFormData), ("text/plain; boundary=a", .notFormData), ("multipart/mixed; boundary=a", .notFormData),
            ("multipart/form-data; boundary=\"a", .notFormData), ("multipart/form-datax; boundary=a", .notFormData),
            ("multipart/form-data", .badBoundary), ("multipart/form-data; boundary=", .badBoundary),
            (#"multipart/form-data; boundary="""#, .badBoundary), (#"multipart/form-data; boundary="a ""#, .badBoundary),
            ("multipart/form-data; boundary=a; boundary=b", .badBoundary), ("multipart/form-data; boundary=a\rb", .badBoundary),
            ("multipart/form-data; boundary=é", .badBoundary), (#"multipart/form-data; boundary="a;b""#, .badBoundary),
            ("multipart/form-data; boundary=\(String(repeating: "a", count: 71))", .badBoundary),
        ] as [(String, MultipartError)])
    func refused(_ contentType: String, _ error: MultipartError) {
        #expect(throws: error) { try Boundary(contentType: contentType) }
    }
}
