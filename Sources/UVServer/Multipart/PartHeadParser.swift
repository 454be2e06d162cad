/// Parses one part's head after another, from pieces of any size.
///
/// Stricter than MIME where the leniency has no honest user: every line ends in CRLF, no line is folded, and no blank stands
/// before a colon. Fields other than `Content-Disposition` and `Content-Type` are dropped (RFC 7578 section 4.8).
struct PartHeadParser {
    private let limits: MultipartLimits
    private var line: [UInt8] = []
    private var bytesTaken = 0
    private var fields = 0
    private var disposition: ContentDisposition?
    private var contentType: String?

    init(limits: MultipartLimits) {
        self.limits = limits
    }

    /// Counts bytes against the head's limit that were read elsewhere.
    /// - Throws: `.partHeadTooLong` past the limit.
    mutating func count(_ bytes: Int) throws(MultipartError) {
        guard bytes <= self.limits.partHeadBytes - self.bytesTaken else {
            throw .partHeadTooLong(limit: self.limits.partHeadBytes)
        }
        self.bytesTaken += bytes
    }

    /// Takes bytes from `index` on, which it moves past the empty line that ends the head; `nil` when that is still to come.
    /// - Throws: `.partHeadTooLong` or `.tooManyPartFields` past a limit, `.badPartHead` for a line that is no field,
    ///   `.badDisposition` when there is not exactly one good `Content-Disposition`.
    mutating func next(_ bytes: Span<UInt8>, at index: inout Int) throws(MultipartError) -> PartHead? {
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            try self.count(1)
            guard byte == ASCII.lineFeed else {
                // A CR may only stand before an LF.
                guard self.line.last != ASCII.carriageReturn else { throw .badPartHead }
                self.line.append(byte)
                continue
            }
            guard self.line.popLast() == ASCII.carriageReturn else { throw .badPartHead }
            if self.line.isEmpty { return try self.head() }
            try self.takeField()
            self.line.removeAll(keepingCapacity: true)
        }
        return nil
    }

    private mutating func takeField() throws(MultipartError) {
        self.fields += 1
        guard self.fields <= self.limits.partHeadFields else { throw .tooManyPartFields(limit: self.limits.partHeadFields) }
        let name = self.line.prefix { ASCII.isToken($0) }
        guard !name.isEmpty, name.endIndex < self.line.endIndex, self.line[name.endIndex] == UInt8(ascii: ":") else {
            throw .badPartHead
        }
        let value = ASCII.trimmed(self.line[(name.endIndex + 1)...])
        if ASCII.equalsIgnoringCase(name, "content-disposition") {
            guard self.disposition == nil else { throw .badDisposition }
            self.disposition = try ContentDisposition(value)
        } else if ASCII.equalsIgnoringCase(name, "content-type"), self.contentType == nil {
            self.contentType = String(decoding: value, as: UTF8.self)
        }
    }

    private mutating func head() throws(MultipartError) -> PartHead {
        guard let disposition = self.disposition else { throw .badDisposition }
        let head = PartHead(name: disposition.name, filename: disposition.filename, contentType: self.contentType)
        self.bytesTaken = 0
        self.fields = 0
        self.disposition = nil
        self.contentType = nil
        return head
    }
}
