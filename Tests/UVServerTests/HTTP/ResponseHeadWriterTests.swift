import Testing
import UVServer

@Suite("The response head writer") struct ResponseHeadWriterTests {
    private static func write(
        _ status: Status, _ fields: Fields = Fields(), closes: Bool = false, minorVersion: Int = 1, after output: String = ""
    ) -> String {
        var output = Array(output.utf8)
        ResponseHeadWriter.write(
            status: status, fields: fields, date: "D", closes: closes, minorVersion: minorVersion, into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test(
        "says its date and whether the connection closes, whatever the fields say",
        arguments: [
            (true, 1, "Connection: close\r\n"), (false, 1, ""), (true, 0, "Connection: close\r\n"),
            (false, 0, "Connection: keep-alive\r\n"),
        ])
    func connection(_ closes: Bool, _ minorVersion: Int, _ line: String) throws {
        var fields = Fields()
        fields.append(.contentLength, "0")
        // As a caller may have spelled them: names are compared without regard to case.
        fields.append(try #require(FieldName(parsing: Array("CONNECTION".utf8))), "upgrade")
        fields.append(try #require(FieldName(parsing: Array("date".utf8))), "never")
        #expect(
            Self.write(.notFound, fields, closes: closes, minorVersion: minorVersion)
                == "HTTP/1.1 404 Not Found\r\nDate: D\r\n\(line)Content-Length: 0\r\n\r\n")
    }

    @Test("writes an interim response without date and connection", arguments: [true, false])
    func interim(_ closes: Bool) {
        #expect(Self.write(.continue, closes: closes) == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(Self.write(.continue, closes: closes, minorVersion: 0) == "HTTP/1.1 100 Continue\r\n\r\n")
    }

    @Test("keeps the order of the fields, and every one of the same name")
    func order() {
        var fields = Fields()
        fields.append(.vary, "Accept")
        fields.append(.etag, "\"x\"")
        fields.append(.vary, "Accept-Encoding")
        #expect(
            Self.write(.ok, fields)
                == "HTTP/1.1 200 OK\r\nDate: D\r\nVary: Accept\r\nETag: \"x\"\r\nVary: Accept-Encoding\r\n\r\n")
    }

    @Test("writes a value with a line end as one line")
    func splitting() {
        var fields = Fields()
        fields.append(.location, "/a\r\nSet-Cookie: b\r\n\r\n<html>")
        #expect(
            Self.write(.seeOther, fields) == "HTTP/1.1 303 See Other\r\nDate: D\r\nLocation: /a  Set-Cookie: b    <html>\r\n\r\n")
    }

    @Test("appends to what is there")
    func appends() {
        #expect(Self.write(.noContent, after: "before") == "beforeHTTP/1.1 204 No Content\r\nDate: D\r\n\r\n")
    }
}
