/// Why a multipart body cannot be read. Every case is the client's fault, and nothing of the body can be trusted after it.
public enum MultipartError: Error, Equatable, Sendable {
    /// The content type is not `multipart/form-data`, or cannot be parsed.
    case notFormData
    /// The content type names no boundary, two, or one that RFC 2046 section 5.1.1 does not allow.
    case badBoundary
    /// No delimiter among the first `limit` bytes.
    case preambleTooLong(limit: Int)
    /// More than `limit` bytes follow the closing delimiter.
    case epilogueTooLong(limit: Int)
    /// A delimiter is followed by something other than padding and CRLF, or `--`.
    case badDelimiterLine
    /// More than `limit` parts.
    case tooManyParts(limit: Int)
    /// A part's head is longer than `limit` bytes.
    case partHeadTooLong(limit: Int)
    /// A part's head has more than `limit` fields.
    case tooManyPartFields(limit: Int)
    /// A line of a part's head is not `name: value` ended by CRLF.
    case badPartHead
    /// A part has no `Content-Disposition: form-data` with a name, has two, or has one that cannot be parsed.
    case badDisposition
    /// The body ended before the closing delimiter.
    case endedEarly

    /// True where the answer is 413; every other case is 400.
    public var isTooLarge: Bool {
        switch self {
        case .tooManyParts: true
        case .notFormData, .badBoundary, .preambleTooLong, .epilogueTooLong, .badDelimiterLine, .partHeadTooLong,
            .tooManyPartFields, .badPartHead, .badDisposition, .endedEarly:
            false
        }
    }

    /// A sentence for the person who sent the form.
    public var reason: String {
        switch self {
        case .notFormData: "The upload must be sent as multipart/form-data."
        case .badBoundary: "The Content-Type of the upload needs one boundary of 1 to 70 allowed characters."
        case .preambleTooLong(let limit): "The first \(limit) bytes of the form do not contain its boundary."
        case .epilogueTooLong(let limit): "More than \(limit) bytes follow the end of the form."
        case .badDelimiterLine: "A boundary line of the form is malformed; lines must end in CRLF."
        case .tooManyParts(let limit): "The form has more than \(limit) parts; send fewer files at a time."
        case .partHeadTooLong(let limit): "The header of a form part is longer than \(limit) bytes."
        case .tooManyPartFields(let limit): "The header of a form part has more than \(limit) fields."
        case .badPartHead: "The header of a form part is malformed; lines must end in CRLF."
        case .badDisposition: "A form part needs one Content-Disposition header of type form-data with a name."
        case .endedEarly: "The form ended before its last boundary; send it again."
        }
    }
}
