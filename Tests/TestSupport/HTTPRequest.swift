/// The bytes of a request, written out by hand so that nothing is corrected on the way.
public enum HTTPRequest {
    /// Host and, with a body, Content-Length are added unless given.
    public static func bytes(_ method: String, _ target: String, _ fields: [(String, String)] = [], body: [UInt8]? = nil)
        -> [UInt8]
    {
        var head = "\(method) \(target) HTTP/1.1\r\n"
        if !fields.contains(where: { $0.0.lowercased() == "host" }) { head += "Host: 127.0.0.1\r\n" }
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        let framed = fields.contains { ["content-length", "transfer-encoding"].contains($0.0.lowercased()) }
        if let body, !framed { head += "Content-Length: \(body.count)\r\n" }
        return [UInt8](head.utf8) + [13, 10] + (body ?? [])
    }

    /// A form sent by a client that takes JSON, or by a browser.
    public static func post(_ form: Form, to target: String = "/", _ fields: [(String, String)] = [], json: Bool = true)
        -> [UInt8]
    {
        let accept = json ? "application/json" : "text/html,application/xhtml+xml,*/*;q=0.8"
        return self.bytes("POST", target, fields + [("Accept", accept), ("Content-Type", form.contentType)], body: form.body)
    }

    /// `content` as a chunked body with chunks of `size` bytes.
    public static func chunked(_ content: [UInt8], size: Int) -> [UInt8] {
        var body: [UInt8] = []
        var start = 0
        while start < content.count {
            let end = min(start + size, content.count)
            body += [UInt8](String(end - start, radix: 16).utf8) + [13, 10] + content[start..<end] + [13, 10]
            start = end
        }
        return body + [UInt8]("0\r\n\r\n".utf8)
    }
}
