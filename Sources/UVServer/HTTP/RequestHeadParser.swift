/// Reads request heads from a connection's bytes, however these are cut (RFC 9112 sections 2 to 5).
///
/// Stricter than the RFC asks where leniency has been used to smuggle requests: every line ends in CR LF, nothing stands
/// between a field's name and its colon, no field is folded, an HTTP/1.1 request names exactly one host. A parser that
/// has thrown is spent, as is its connection.
public struct RequestHeadParser: Sendable {
    public enum Progress: Sendable {
        /// Every byte was taken; the head goes on.
        case needsMore
        /// The head is whole. It ended after `consumed` of the bytes given; the rest is not touched.
        case complete(RequestHead, consumed: Int)
    }

    /// Empty lines allowed before a request line: some clients end a body with one too many (RFC 9112 section 2.2).
    private static let blankLineLimit = 4

    private let limits: RequestLimits
    /// The head so far, its line ends included. Becomes the storage of the fields.
    private var head: [UInt8] = []
    private var lineStart = 0
    private var endsInReturn = false
    private var blankLines = 0
    /// The request line, once it has ended; still there after a later line was refused.
    private(set) var requestLine: RequestLine?
    private var entries: [Fields.Entry] = []

    public init(limits: RequestLimits) { self.limits = limits }

    /// Whether a byte of a head has been taken. Empty lines before it do not count.
    public var hasStarted: Bool { !self.head.isEmpty }

    /// Takes bytes up to the end of a head. After `.complete` the parser is as new.
    /// - Throws: the first thing wrong in the order of the bytes, as soon as the line that holds it has ended, or as soon
    ///   as a limit is passed.
    public mutating func parse(_ bytes: Span<UInt8>) throws(HTTPError) -> Progress {
        var index = 0
        if !self.hasStarted {
            try self.skipBlankLines(bytes, &index)
            guard index < bytes.count else { return .needsMore }
            guard ASCII.isToken(bytes[index]) else { throw .malformedMethod }
            self.head.reserveCapacity(min(bytes.count - index, 1 << 10))
        }
        while index < bytes.count {
            if self.endsInReturn {
                guard bytes[index] == ASCII.lineFeed else { throw .bareLineEnd }
                self.endsInReturn = false
                self.head.append(ASCII.lineFeed)
                index += 1
                if try self.endLine() { return .complete(try self.finish(), consumed: index) }
            } else {
                try self.takeLine(bytes, &index)
            }
        }
        return .needsMore
    }

    private mutating func skipBlankLines(_ bytes: Span<UInt8>, _ index: inout Int) throws(HTTPError) {
        while index < bytes.count {
            switch (bytes[index], self.endsInReturn) {
            case (ASCII.carriageReturn, false):
                guard self.blankLines < Self.blankLineLimit else { throw .tooManyBlankLines(limit: Self.blankLineLimit) }
                self.endsInReturn = true
            case (ASCII.lineFeed, true):
                self.endsInReturn = false
                self.blankLines += 1
            case (_, true), (ASCII.lineFeed, false):
                throw .bareLineEnd
            case (_, false):
                return
            }
            index += 1
        }
    }

    /// Takes bytes up to a CR and that CR, or all there are, but never more than the limits leave room for.
    private mutating func takeLine(_ bytes: Span<UInt8>, _ index: inout Int) throws(HTTPError) {
        let limit = self.requestLine == nil ? self.limits.requestLineBytes : self.limits.headBytes
        let room = max(0, limit - self.head.count)
        let end = index + min(room, bytes.count - index)
        let start = index
        while index < end, bytes[index] != ASCII.carriageReturn, bytes[index] != ASCII.lineFeed { index += 1 }
        self.keep(bytes.extracting(start..<index))
        guard index < bytes.count else { return }
        switch bytes[index] {
        case ASCII.carriageReturn:
            self.head.append(ASCII.carriageReturn)
            self.endsInReturn = true
            index += 1
        case ASCII.lineFeed:
            throw .bareLineEnd
        default:
            throw self.requestLine == nil ? .requestLineTooLong(limit: limit) : .headTooLarge(limit: limit)
        }
    }

    /// Grows the head once and fills it, which costs far less than as many single appends.
    private mutating func keep(_ bytes: Span<UInt8>) {
        let start = self.head.count
        self.head.append(contentsOf: repeatElement(0, count: bytes.count))
        var kept = self.head.mutableSpan
        for index in bytes.indices { kept[start + index] = bytes[index] }
    }

    /// Judges the line that has just ended; true if it was the empty one that closes the head.
    private mutating func endLine() throws(HTTPError) -> Bool {
        let line = self.lineStart..<(self.head.count - 2)
        self.lineStart = self.head.count
        if self.requestLine == nil {
            self.requestLine = try RequestLine(self.head[line])
            return false
        }
        if line.isEmpty { return true }
        guard self.entries.count < self.limits.fieldCount else { throw .tooManyFields(limit: self.limits.fieldCount) }
        self.entries.append(try self.field(line))
        return false
    }

    private func field(_ line: Range<Int>) throws(HTTPError) -> Fields.Entry {
        let bytes = self.head[line]
        if bytes.first == ASCII.space || bytes.first == ASCII.tab { throw .foldedField }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { throw .malformedFieldName }
        guard let name = FieldName(parsing: bytes[..<colon]) else {
            let last = bytes[..<colon].last
            throw last == ASCII.space || last == ASCII.tab ? .blankBeforeColon : .malformedFieldName
        }
        let value = ASCII.trimmed(bytes[(colon + 1)...])
        guard value.allSatisfy(Fields.isAllowed) else { throw .malformedFieldValue }
        return Fields.Entry(name: name, value: value.startIndex..<value.endIndex)
    }

    /// Judges the head as a whole, hands it over and starts anew.
    private mutating func finish() throws(HTTPError) -> RequestHead {
        guard let line = self.requestLine else { preconditionFailure("a head ended before its request line") }
        let fields = Fields(storage: self.head, entries: self.entries)
        try Self.checkHost(fields, minorVersion: line.minorVersion)
        for expectation in fields.members(.expect) {
            guard ASCII.equalsIgnoringCase(expectation, "100-continue") else { throw .unknownExpectation }
        }
        self = RequestHeadParser(limits: self.limits)
        return RequestHead(method: line.method, target: line.target, minorVersion: line.minorVersion, fields: fields)
    }

    /// RFC 9112 section 3.2. The Host field must be right even where an absolute-form target outranks it.
    private static func checkHost(_ fields: Fields, minorVersion: Int) throws(HTTPError) {
        let hosts = fields.bytes(.host)
        guard hosts.count <= 1 else { throw .duplicateHost }
        guard let host = hosts.first else {
            guard minorVersion == 0 else { throw .missingHost }
            return
        }
        guard Authority.isValid(host) else { throw .malformedHost }
    }
}
