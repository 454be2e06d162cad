/// Parses a `multipart/form-data` body (RFC 7578, RFC 2046 section 5.1) that comes in pieces of any size.
///
/// Content is not copied: it is reported as ranges of the piece just given. What the parser keeps is one part's head and a few
/// numbers. Where the pieces are cut never changes the content reported. The preamble and the epilogue are dropped; blanks after
/// a boundary are accepted; a delimiter line with anything else on it is an error, as RFC 2046 forbids such lines in content.
public struct MultipartParser {
    public enum Event: Equatable {
        /// A part's content follows.
        case partBegan(PartHead)
        /// Content: the first so many bytes of `delimiter`, which came earlier and looked like one until now.
        case delimiterBytes(Int)
        /// Content: this range of the piece; never empty.
        case body(Range<Int>)
        /// The part is whole: the delimiter line after it has been read.
        case partEnded
        /// The closing delimiter has been read. What is left of the body must still be given.
        case finished
    }

    private enum State {
        case preamble
        /// Right behind a delimiter; `.partEnded` is due when it has proved to be good.
        case delimiterLine(DelimiterLine, endsPart: Bool)
        case head
        case content
        /// Behind a closing delimiter, with `.finished` still due.
        case closing
        /// On the closing delimiter's line, where only blanks may follow.
        case closed
        case epilogue
        case failed(MultipartError)
    }

    private enum DelimiterLine { case start, padding, hyphen, carriageReturn }

    private let limits: MultipartLimits
    private var scanner: DelimiterScanner
    private var headParser: PartHeadParser
    private var state = State.preamble
    /// Starts below zero because the CRLF the scanner begins with was never sent.
    private var preambleBytes = -2
    private var epilogueBytes = 0
    private var parts = 0

    /// CRLF, two hyphens and the boundary: what `delimiterBytes` counts in.
    public var delimiter: [UInt8] { self.scanner.delimiter }

    public init(boundary: Boundary, limits: MultipartLimits) {
        self.limits = limits
        self.scanner = DelimiterScanner(boundary: boundary)
        self.headParser = PartHeadParser(limits: limits)
    }

    /// The next event in `bytes` from `index` on, which moves past what is reported; `nil` when the piece is used up. To be
    /// called until it returns `nil`: an event may be due when no byte is left.
    /// - Throws: a `MultipartError` when the body is malformed or past a limit, and the same again from then on.
    public mutating func next(_ bytes: Span<UInt8>, at index: inout Int) throws(MultipartError) -> Event? {
        do {
            return try self.advance(bytes, at: &index)
        } catch {
            self.state = .failed(error)
            throw error
        }
    }

    /// Says that the body has ended. Only when this returns has the form arrived whole.
    /// - Throws: `.endedEarly` without a closing delimiter; the error that `next` threw, if it did.
    public mutating func finish() throws(MultipartError) {
        switch self.state {
        case .closing, .closed, .epilogue: return
        case .failed(let error): throw error
        case .preamble, .delimiterLine, .head, .content: throw .endedEarly
        }
    }

    private mutating func advance(_ bytes: Span<UInt8>, at index: inout Int) throws(MultipartError) -> Event? {
        while true {
            switch self.state {
            case .preamble:
                guard let match = self.scanner.next(bytes, at: &index) else { return nil }
                try self.skip(match)
            case .delimiterLine(let place, let endsPart):
                guard index < bytes.count else { return nil }
                try self.take(bytes[index], at: place, endsPart: endsPart)
                index += 1
                if endsPart, self.isPastDelimiterLine { return .partEnded }
            case .head:
                guard let head = try self.headParser.next(bytes, at: &index) else { return nil }
                self.state = .content
                return .partBegan(head)
            case .content:
                switch self.scanner.next(bytes, at: &index) {
                case .content(let range): return .body(range)
                case .falseStart(let count): return .delimiterBytes(count)
                case .delimiter: self.state = .delimiterLine(.start, endsPart: true)
                case nil: return nil
                }
            case .closing:
                self.state = .closed
                return .finished
            case .closed:
                guard index < bytes.count else { return nil }
                try self.countEpilogue(1)
                try self.takeAfterClosing(bytes[index])
                index += 1
            case .epilogue:
                try self.countEpilogue(bytes.count - index)
                index = bytes.count
                return nil
            case .failed(let error):
                throw error
            }
        }
    }

    private mutating func skip(_ match: DelimiterScanner.Match) throws(MultipartError) {
        let count: Int
        switch match {
        case .delimiter:
            self.state = .delimiterLine(.start, endsPart: false)
            return
        case .content(let range): count = range.count
        case .falseStart(let length): count = length
        }
        guard count <= self.limits.preambleBytes - self.preambleBytes else {
            throw .preambleTooLong(limit: self.limits.preambleBytes)
        }
        self.preambleBytes += count
    }

    /// Everything behind the last hyphens counts, the rest of their line too.
    private mutating func countEpilogue(_ count: Int) throws(MultipartError) {
        guard count <= self.limits.epilogueBytes - self.epilogueBytes else {
            throw .epilogueTooLong(limit: self.limits.epilogueBytes)
        }
        self.epilogueBytes += count
    }

    private mutating func take(_ byte: UInt8, at place: DelimiterLine, endsPart: Bool) throws(MultipartError) {
        switch (place, byte) {
        case (.start, UInt8(ascii: "-")):
            self.state = .delimiterLine(.hyphen, endsPart: endsPart)
        case (.hyphen, UInt8(ascii: "-")):
            self.state = .closing
        case (.start, ASCII.space), (.start, ASCII.tab), (.padding, ASCII.space), (.padding, ASCII.tab):
            try self.headParser.count(1)
            self.state = .delimiterLine(.padding, endsPart: endsPart)
        case (.start, ASCII.carriageReturn), (.padding, ASCII.carriageReturn):
            self.state = .delimiterLine(.carriageReturn, endsPart: endsPart)
        case (.carriageReturn, ASCII.lineFeed):
            guard self.parts < self.limits.parts else { throw .tooManyParts(limit: self.limits.parts) }
            self.parts += 1
            self.state = .head
        default:
            throw .badDelimiterLine
        }
    }

    private var isPastDelimiterLine: Bool {
        switch self.state {
        case .head, .closing: true
        case .preamble, .delimiterLine, .content, .closed, .epilogue, .failed: false
        }
    }

    /// A line that goes on behind `--` is content the sender failed to keep apart from the boundary, and must not end the file.
    private mutating func takeAfterClosing(_ byte: UInt8) throws(MultipartError) {
        switch byte {
        case ASCII.space, ASCII.tab: return
        case ASCII.carriageReturn, ASCII.lineFeed: self.state = .epilogue
        default: throw .badDelimiterLine
        }
    }
}
