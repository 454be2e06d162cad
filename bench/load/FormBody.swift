/// What stands around the files of a multipart form (RFC 7578). Pure.
struct FormBody {
    /// Stands in no content: a line of text among random bytes.
    static let boundary = "----uvload-5d1c0f6b8a7e4932"
    /// Behind each file.
    static let end = Array("\r\n".utf8)
    /// Behind the last.
    static let tail = Array("--\(Self.boundary)--\r\n".utf8)

    let names: [String]
    let field: String
    /// Of each file, in bytes.
    let size: Int64

    /// Before a file.
    func head(_ name: String) -> [UInt8] {
        let disposition = "Content-Disposition: form-data; name=\"\(self.field)\"; filename=\"\(name)\""
        return Array("--\(Self.boundary)\r\n\(disposition)\r\nContent-Type: application/octet-stream\r\n\r\n".utf8)
    }

    /// The length of the whole body, in bytes.
    var count: Int64 {
        let around = self.names.reduce(0) { $0 + self.head($1).count + Self.end.count }
        return Int64(around + Self.tail.count) + self.size * Int64(self.names.count)
    }
}
