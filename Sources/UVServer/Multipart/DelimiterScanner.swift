/// Finds a multipart delimiter, CRLF `--` boundary (RFC 2046 section 5.1.1), in a stream that comes in pieces of any size.
///
/// A delimiter holds exactly one CR, its first byte. So a failed match can only start again at the byte that broke it: each
/// byte costs a few comparisons at most, whatever the boundary and the content, with no restart table and nothing kept but a
/// count.
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

    /// CRLF, two hyphens and the boundary's first byte: what every delimiter has.
    private static let beginningBytes = 5
    /// A block's 64 places and what follows the last of them.
    private static let blockBytes = 64 + beginningBytes - 1
    /// How many bytes of a match are compared at once.
    private static let stepBytes = 16

    let delimiter: [UInt8]
    /// For ``followed(_:)``.
    private let shifts: InlineArray<6, UInt64>
    /// How many bytes of the delimiter came last; they are held back until it is clear what they are.
    private var matched: Int

    /// Starts as if a CRLF had just been read, so that a delimiter at the very beginning is found like any other.
    init(boundary: Boundary) {
        self.delimiter = [ASCII.carriageReturn, ASCII.lineFeed, UInt8(ascii: "-"), UInt8(ascii: "-")] + boundary.bytes
        self.shifts = Self.shifts(spreading: self.delimiter.count)
        self.matched = 2
    }

    /// Looks at `bytes` from `index` on, which moves past what is reported; `nil` when the piece is used up.
    mutating func next(_ bytes: Span<UInt8>, at index: inout Int) -> Match? {
        if self.matched > 0 { return self.resumed(bytes, at: &index) }
        guard index < bytes.count else { return nil }
        let start = index
        guard let match = self.firstMatch(in: bytes, from: start) else {
            index = bytes.count
            return .content(start..<bytes.count)
        }
        self.matched = match.count
        index = match.upperBound
        return start < match.lowerBound ? .content(start..<match.lowerBound) : self.resumed(bytes, at: &index)
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

    /// The first place at or after `from` that holds a whole delimiter, or as much of one as the piece has room for.
    ///
    /// Blocks of 64 bytes are looked at three times at most, ever more closely. A block is never begun again: the places in it where a
    /// delimiter may begin are tried, then comes the next block. A place that another one follows before a delimiter would end is not
    /// tried, since a delimiter has one CR: so a flood of false beginnings costs one trial for each delimiter's length or block.
    private func firstMatch(in bytes: Span<UInt8>, from: Int) -> Range<Int>? {
        var index = from
        while bytes.count - index >= Self.blockBytes {
            let block = bytes.extracting(index..<index + Self.blockBytes)
            if Self.mayHoldBeginning(block) {
                var places = self.beginnings(in: block)
                places &= ~self.followed(places)
                while places != 0 {
                    let place = index + places.trailingZeroBitCount
                    if let match = self.match(in: bytes, at: place, known: Self.beginningBytes) { return match }
                    places &= places - 1
                }
            }
            index += 64
        }
        while index < bytes.count {
            if bytes[index] == ASCII.carriageReturn, let match = self.match(in: bytes, at: index, known: 1) { return match }
            index += 1
        }
        return nil
    }

    /// The match at `place` if it is whole or reaches the piece's end; its first `known` bytes are not compared again.
    private func match(in bytes: Span<UInt8>, at place: Int, known: Int) -> Range<Int>? {
        let end = min(self.delimiter.count, bytes.count - place)
        let delimiter = self.delimiter.span
        var length = known
        // A sender may choose the longest boundary and almost send it, again and again.
        while end - length >= Self.stepBytes {
            let (from, to) = (place + length, length + Self.stepBytes)
            guard Self.isSame(bytes.extracting(from..<from + Self.stepBytes), delimiter.extracting(length..<to)) else {
                return nil
            }
            length = to
        }
        while length < end, bytes[place + length] == self.delimiter[length] { length += 1 }
        return length == end ? place..<place + length : nil
    }

    /// Whether the first ``stepBytes`` of both are the same; no exit, and so as vectors.
    @inline(__always)
    private static func isSame(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        var differences: UInt8 = 0
        for offset in 0..<Self.stepBytes { differences |= one[offset] ^ other[offset] }
        return differences == 0
    }

    /// Whether a CR has a dash two bytes on: lines of text and floods of CRs or dashes do not.
    ///
    /// The block is reduced to one byte that is zero if there is such a place. The loop has no exit and no wider accumulator,
    /// which lets the compiler use vectors.
    @inline(__always)
    private static func mayHoldBeginning(_ block: Span<UInt8>) -> Bool {
        var least = UInt8.max
        for offset in 0..<64 {
            least = min(least, (block[offset] ^ ASCII.carriageReturn) | (block[offset + 2] ^ UInt8(ascii: "-")))
        }
        return least == 0
    }

    /// The places in `block` that have the first five bytes of the delimiter, as bits; the lowest is the first place.
    ///
    /// Inlined, as is the look before it, so that the compiler knows the block's size and keeps the loop free of checks.
    @inline(__always)
    private func beginnings(in block: Span<UInt8>) -> UInt64 {
        let fifth = self.delimiter[4]
        var differences = InlineArray<64, UInt8>(repeating: 0)
        var least = UInt8.max
        for offset in 0..<64 {
            let difference =
                (block[offset] ^ ASCII.carriageReturn) | (block[offset + 1] ^ ASCII.lineFeed)
                | (block[offset + 2] ^ UInt8(ascii: "-")) | (block[offset + 3] ^ UInt8(ascii: "-")) | (block[offset + 4] ^ fifth)
            differences[offset] = difference
            least = min(least, difference)
        }
        guard least == 0 else { return 0 }
        var places: UInt64 = 0
        for group in 0..<8 {
            var word: UInt64 = 0
            for offset in 0..<8 { word |= UInt64(differences[group * 8 + offset]) << UInt64(offset * 8) }
            places |= Self.zeroBytes(word) << UInt64(group * 8)
        }
        return places
    }

    /// For each place whether another one follows within the length of a delimiter.
    @inline(__always)
    private func followed(_ places: UInt64) -> UInt64 {
        var followed = places >> 1
        for step in 0..<self.shifts.count { followed |= followed &>> self.shifts[step] }
        return followed
    }

    /// Shifts that spread a bit, which has been shifted by one, over the `count - 1` below it: each doubles how far it reaches.
    private static func shifts(spreading count: Int) -> InlineArray<6, UInt64> {
        let last = UInt64(min(count - 1, 63))
        var (shifts, reach) = (InlineArray<6, UInt64>(repeating: 0), UInt64(1))
        for step in 0..<shifts.count {
            shifts[step] = min(reach, last - reach)
            reach += shifts[step]
        }
        return shifts
    }

    /// Which of the eight bytes are zero, as eight bits, without a branch that unruly content would make the processor guess at.
    private static func zeroBytes(_ word: UInt64) -> UInt64 {
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        // The top bit of each zero byte: adding to its low bits carries into the top bit of any other.
        let zeros = ~(((word & low) + low) | word | low)
        // Gathers the eight bits in the top byte.
        return ((zeros >> 7) &* 0x0102_0408_1020_4080) >> 56
    }
}
