/// What a form part says of itself before its content.
public struct PartHead: Equatable, Sendable {
    /// The field's name, as bytes.
    public let name: [UInt8]
    /// The file's name as sent, not checked and possibly a path; empty when a form was sent without choosing a file;
    /// `nil` when the part is a plain field.
    public let filename: [UInt8]?
    /// The declared media type, not to be trusted.
    public let contentType: String?

    public init(name: [UInt8], filename: [UInt8]?, contentType: String?) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
    }
}
