/// An input taken apart: lines of settings first, then what is to be parsed.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.rest = bytes[...] }

    /// Takes what comes before the next LF, and that LF; all that is left when there is none.
    mutating func line() -> [UInt8] {
        let line = self.rest.prefix { $0 != 0x0A }
        self.rest = self.rest[line.endIndex...].dropFirst()
        return Array(line)
    }

    mutating func text() -> String { String(decoding: self.line(), as: UTF8.self) }

    /// Takes a line that says where what follows is to be cut.
    mutating func cuts() -> Cuts { Cuts(self.line()) }
}

/// Lengths of pieces, over and over: each byte counts from `0` on, so `5` is five bytes and `a` is 49. Some pieces are empty.
struct Cuts {
    private let lengths: [Int]

    init(_ bytes: [UInt8]) {
        let lengths = bytes.map { Int($0 &- 0x30) }
        self.lengths = lengths.contains { $0 > 0 } ? lengths : [1]
    }

    func pieces(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = Array(bytes)[...]
        var index = 0
        while !rest.isEmpty {
            let length = self.lengths[index % self.lengths.count]
            pieces.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
            index += 1
        }
        return pieces
    }
}
