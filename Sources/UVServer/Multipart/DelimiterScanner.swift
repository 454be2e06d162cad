/// Finds a multipart delimiter, CRLF `--` boundary (RFC 2046 section 5.1.1), in a stream that comes in pieces of any size.
///
/// A delimiter holds exactly one CR, its first byte. So a failed match can only start again at the byte that broke it: each
/// byte is compared at most twice, whatever the boundary and the content, with no restart table and nothing kept but a count.
struct DelimiterScanner {
    /// What the next bytes turned out to be.
    enum Match: Equatable {
        /// Content, as a range of the piece; never empty.
        case content(Range<Int>)
        /// The first so many bytes of the delimiter, held back until now, were content.
        case falseStart(Int)
        /// A whole delimiter.
        case delimiter
    }

    let delimiter: [UInt8]
    /// How many bytes of the delimiter came last; they are held back until it is clear what they are.
    private var matched: Int

    /// Starts as if a CRLF had just been read, so that a delimiter at the very beginning is found like any other.
    init(boundary: Boundary) {
        self.delimiter = [ASCII.carriageReturn, ASCII.lineFeed, UInt8(ascii: "-"), UInt8(ascii: "-")] + boundary.bytes
        self.matched = 2
    }

    /// Looks at `bytes` from `index` on, which moves past what is reported; `nil` when the piece is used up.
    mutating func next(_ bytes: Span<UInt8>, at index: inout Int) -> Match? {
        if self.matched > 0 { return self.resumed(bytes, at: &index) }
        guard index < bytes.count else { return nil }
        let start = index
        var from = start
        while let candidate = Self.candidate(in: bytes, from: from) {
            let length = self.matchLength(in: bytes, at: candidate)
            if length == self.delimiter.count || candidate + length == bytes.count {
                self.matched = length
                index = candidate + length
                return start < candidate ? .content(start..<candidate) : self.resumed(bytes, at: &index)
            }
            from = candidate + length
        }
        index = bytes.count
        return .content(start..<bytes.count)
    }

    /// Goes on with a match that has begun.
    private mutating func resumed(_ bytes: Span<UInt8>, at index: inout Int) -> Match? {
        while self.matched < self.delimiter.count {
            guard index < bytes.count else { return nil }
            guard bytes[index] == self.delimiter[self.matched] else {
                defer { self.matched = 0 }
                return .falseStart(self.matched)
            }
            self.matched += 1
            index += 1
        }
        self.matched = 0
        return .delimiter
    }

    /// How many bytes from `candidate`, a CR, are those of the delimiter.
    private func matchLength(in bytes: Span<UInt8>, at candidate: Int) -> Int {
        let end = min(self.delimiter.count, bytes.count - candidate)
        var length = 1
        while length < end, bytes[candidate + length] == self.delimiter[length] { length += 1 }
        return length
    }

    /// The first place at or after `from` where a delimiter can begin: a CR with a dash two bytes on, or with the piece's end
    /// before that. Looking at both leaves lines of text and floods of CRs alone.
    ///
    /// Blocks of 64 bytes are reduced to one byte that is zero if any of theirs is such a place. That loop has no exit and
    /// no wider accumulator, which lets the compiler use vectors.
    private static func candidate(in bytes: Span<UInt8>, from: Int) -> Int? {
        // Where one match failed the next often starts: a flood of beginnings must not pay for a block each.
        if from < bytes.count, self.canBegin(bytes, from) { return from }
        var index = from
        while bytes.count - index >= 66 {
            let block = bytes.extracting(index..<index + 66)
            var least = UInt8.max
            for offset in 0..<64 {
                least = min(least, (block[offset] ^ ASCII.carriageReturn) | (block[offset + 2] ^ UInt8(ascii: "-")))
            }
            if least == 0 { break }
            index += 64
        }
        while index < bytes.count {
            if self.canBegin(bytes, index) { return index }
            index += 1
        }
        return nil
    }

    private static func canBegin(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
        bytes[index] == ASCII.carriageReturn && (index + 2 >= bytes.count || bytes[index + 2] == UInt8(ascii: "-"))
    }
}
