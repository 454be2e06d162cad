/// A multipart/form-data body, written byte by byte as browsers write it.
public struct Form: Sendable {
    public let boundary: String
    private var parts: [UInt8] = []

    public init(boundary: String = "WB7aYx0uvdropForm") {
        self.boundary = boundary
    }

    public var contentType: String { "multipart/form-data; boundary=\(self.boundary)" }

    /// All parts and the closing delimiter.
    public var body: [UInt8] { self.parts + [UInt8]("--\(self.boundary)--\r\n".utf8) }

    /// `filename` goes into the quotes as given: escape it first where a browser would.
    public mutating func file(
        _ filename: [UInt8], _ content: [UInt8], field: String = "file", type: String = "application/octet-stream"
    ) {
        self.parts += [UInt8]("--\(self.boundary)\r\nContent-Disposition: form-data; name=\"\(field)\"; filename=\"".utf8)
        self.parts += filename + [UInt8]("\"\r\nContent-Type: \(type)\r\n\r\n".utf8) + content + [13, 10]
    }

    public mutating func field(_ name: String, _ value: String) {
        self.parts += [UInt8]("--\(self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
    }

    /// A form with one file.
    public static func one(_ filename: String, _ content: [UInt8], boundary: String = "WB7aYx0uvdropForm") -> Form {
        var form = Form(boundary: boundary)
        form.file([UInt8](filename.utf8), content)
        return form
    }

    public static func one(_ filename: String, _ text: String) -> Form {
        self.one(filename, [UInt8](text.utf8))
    }
}
