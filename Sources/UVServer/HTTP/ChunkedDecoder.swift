/// Takes the chunked transfer coding apart (RFC 9112 section 7.1). Copies nothing: data are ranges of the caller's bytes.
/// Extensions and trailer fields are checked, counted and dropped.
public struct ChunkedDecoder: Sendable {
    public enum Event: Equatable, Sendable {
        /// Content, as a range of the bytes given; never empty.
        case data(Range<Int>)
        /// The body and its trailer are over.
        case end
    }

    private enum State: Equatable {
        case size
        /// Blanks behind a size, which only an extension may follow.
        case blank
        case chunkExtension
        /// Within the quotes of an extension's value, which its line must close.
        case quotedExtension
        /// Behind a backslash there.
        case escapedExtension
        case sizeLineFeed
        case data
        case dataReturn
        case dataLineFeed
        case trailerStart
        case trailerName
        case trailerValue
        case trailerLineFeed
        case lastLineFeed
        case ended
    }

    /// Hexadecimal digits of a chunk size at most, leading zeros included.
    private static let sizeDigitLimit = 16

    private let limits: RequestLimits
    private var state = State.size
    private var sizeDigits = 0
    /// What is left of the chunk under way.
    private var remaining: Int64 = 0
    private var extensionBytes = 0
    private var trailerBytes = 0

    public init(limits: RequestLimits) { self.limits = limits }

    /// Reads on from `index` and moves it behind what was read. `nil`: all bytes are used up and the body goes on.
    /// After `.end` it takes nothing more and keeps saying so.
    /// - Throws: 400 for anything that is not the grammar, a size beyond `Int64` included; 431 for too long a trailer.
    public mutating func next(_ bytes: Span<UInt8>, at index: inout Int) throws(HTTPError) -> Event? {
        if self.state == .ended { return .end }
        while index < bytes.count {
            if self.state == .data {
                let start = index
                let available = bytes.count - index
                let count = self.remaining < Int64(available) ? Int(self.remaining) : available
                index += count
                self.remaining -= Int64(count)
                if self.remaining == 0 { self.state = .dataReturn }
                return .data(start..<index)
            }
            let byte = bytes[index]
            index += 1
            try self.take(byte)
            if self.state == .ended { return .end }
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) throws(HTTPError) {
        switch self.state {
        case .size, .blank, .chunkExtension, .quotedExtension, .escapedExtension: try self.takeSizeLine(byte)
        case .sizeLineFeed:
            guard byte == ASCII.lineFeed else { throw .malformedChunk }
            self.state = self.remaining == 0 ? .trailerStart : .data
        case .dataReturn:
            guard byte == ASCII.carriageReturn else { throw .malformedChunk }
            self.state = .dataLineFeed
        case .dataLineFeed:
            guard byte == ASCII.lineFeed else { throw .malformedChunk }
            self.sizeDigits = 0
            self.state = .size
        case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed, .lastLineFeed: try self.takeTrailer(byte)
        case .data, .ended: preconditionFailure("a byte taken while \(self.state)")
        }
    }

    private mutating func takeSizeLine(_ byte: UInt8) throws(HTTPError) {
        if self.state == .size {
            if let digit = ASCII.hexValue(byte) { return try self.takeSizeDigit(digit) }
            guard self.sizeDigits > 0 else { throw .malformedChunk }
        }
        if byte == ASCII.carriageReturn {
            guard self.state == .size || self.state == .chunkExtension else { throw .malformedChunk }
            self.state = .sizeLineFeed
            return
        }
        guard self.extensionBytes < self.limits.chunkExtensionBytes else {
            throw .chunkExtensionsTooLarge(limit: self.limits.chunkExtensionBytes)
        }
        self.extensionBytes += 1
        if [.chunkExtension, .quotedExtension, .escapedExtension].contains(self.state) {
            try self.takeExtension(byte)
        } else if byte == UInt8(ascii: ";") {
            self.state = .chunkExtension
        } else {
            guard byte == ASCII.space || byte == ASCII.tab else { throw .malformedChunk }
            self.state = .blank
        }
    }

    private mutating func takeExtension(_ byte: UInt8) throws(HTTPError) {
        guard Fields.isAllowed(byte) else { throw .malformedChunk }
        switch (self.state, byte) {
        case (.escapedExtension, _), (.chunkExtension, UInt8(ascii: "\"")): self.state = .quotedExtension
        case (.quotedExtension, UInt8(ascii: "\"")): self.state = .chunkExtension
        case (.quotedExtension, UInt8(ascii: "\\")): self.state = .escapedExtension
        default: break
        }
    }

    /// Largest size that one chunk may announce, in bytes: 1 TiB. Past it: 400.
    private static let chunkBytes: Int64 = 1 << 40

    private mutating func takeSizeDigit(_ digit: UInt8) throws(HTTPError) {
        if self.sizeDigits == 0 { self.remaining = 0 }
        // Cannot overflow: what it was before is within the limit.
        let size = self.remaining << 4 | Int64(digit)
        guard self.sizeDigits < Self.sizeDigitLimit, size <= Self.chunkBytes else { throw .chunkTooLarge }
        self.sizeDigits += 1
        self.remaining = size
    }

    private mutating func takeTrailer(_ byte: UInt8) throws(HTTPError) {
        if self.state == .lastLineFeed {
            guard byte == ASCII.lineFeed else { throw .malformedChunk }
            self.state = .ended
            return
        }
        if self.state == .trailerStart, byte == ASCII.carriageReturn {
            self.state = .lastLineFeed
            return
        }
        guard self.trailerBytes < self.limits.trailerBytes else { throw .trailersTooLarge(limit: self.limits.trailerBytes) }
        self.trailerBytes += 1
        switch self.state {
        case .trailerStart:
            guard ASCII.isToken(byte) else { throw .malformedChunk }
            self.state = .trailerName
        case .trailerName:
            if byte == UInt8(ascii: ":") {
                self.state = .trailerValue
            } else {
                guard ASCII.isToken(byte) else { throw .malformedChunk }
            }
        case .trailerValue:
            if byte == ASCII.carriageReturn {
                self.state = .trailerLineFeed
            } else {
                guard Fields.isAllowed(byte) else { throw .malformedChunk }
            }
        case .trailerLineFeed:
            guard byte == ASCII.lineFeed else { throw .malformedChunk }
            self.state = .trailerStart
        case .size, .blank, .chunkExtension, .quotedExtension, .escapedExtension, .sizeLineFeed, .data, .dataReturn,
            .dataLineFeed, .lastLineFeed, .ended:
            preconditionFailure("a trailer byte taken while \(self.state)")
        }
    }
}
