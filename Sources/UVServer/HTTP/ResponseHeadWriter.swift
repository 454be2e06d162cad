/// Writes the head of a response (RFC 9112 section 4).
public enum ResponseHeadWriter {
    /// Appends status line, Date, Connection, `fields` and the empty line to `output`. Date and Connection are the
    /// server's to say: such fields among `fields` are left out. An interim response carries neither.
    /// - Parameters:
    ///   - date: now, as an IMF-fixdate.
    ///   - closes: whether the connection ends after this response.
    ///   - minorVersion: the request's. HTTP/1.0 is told when a connection stays open, HTTP/1.1 when it does not.
    /// - Returns: where the date begins in `output`; its end where there is none.
    @discardableResult
    public static func write(
        status: Status, fields: Fields, date: String, closes: Bool, minorVersion: Int, into output: inout [UInt8]
    ) -> Int {
        output.append(contentsOf: "HTTP/1.1 \(status.code) \(status.reason)\r\n".utf8)
        var dateStart = output.count
        if !status.isInformational {
            output.append(contentsOf: "Date: ".utf8)
            dateStart = output.count
            output.append(contentsOf: "\(date)\r\n".utf8)
            if closes {
                output.append(contentsOf: "Connection: close\r\n".utf8)
            } else if minorVersion == 0 {
                output.append(contentsOf: "Connection: keep-alive\r\n".utf8)
            }
        }
        fields.write(skipping: [.date, .connection], into: &output)
        output.append(ASCII.carriageReturn)
        output.append(ASCII.lineFeed)
        return dateStart
    }
}
