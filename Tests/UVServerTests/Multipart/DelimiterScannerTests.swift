import Testing

@testable import UVServer

@Suite("The delimiter scanner")
struct DelimiterScannerTests {
    /// Every content that is found, put together and parted at delimiters.
    private func scanned(_ pieces: [ArraySlice<UInt8>], _ boundary: Boundary) -> [[UInt8]] {
        var scanner = DelimiterScanner(boundary: boundary)
        var parts: [[UInt8]] = [[]]
        for piece in pieces {
            let bytes = [UInt8](piece)
            var index = 0
            while let match = scanner.next(bytes.span, at: &index) {
                switch match {
                case .content(let range):
                    #expect(!range.isEmpty)
                    parts[parts.count - 1] += bytes[range]
                case .falseStart(let count): parts[parts.count - 1] += scanner.delimiter.prefix(count)
                case .delimiter: parts.append([])
                }
            }
            #expect(index == bytes.count)
        }
        return parts
    }

    /// What a search that compares the whole delimiter at every byte finds.
    private func searched(_ bytes: [UInt8], _ delimiter: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: delimiter) {
                parts.append([])
                index += delimiter.count
            } else {
                parts[parts.count - 1].append(bytes[index])
                index += 1
            }
        }
        return parts
    }

    private func cut(_ bytes: [UInt8], _ generator: inout some RandomNumberGenerator) -> [ArraySlice<UInt8>] {
        let longest = [1, 3, 70, 200, 2000].randomElement(using: &generator) ?? 1
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + Int.random(in: 0...longest, using: &generator), bytes.count)
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces
    }

    @Test(
        "finds what a search at every byte finds",
        arguments: ["a", "-", "ab", "--a", "abab", "a-b", "----WebKitFormBoundary7", String(repeating: "a", count: 70)])
    func agreesWithSearch(_ text: String) throws {
        let boundary = try Boundary(contentType: "multipart/form-data; boundary=\(text)")
        let delimiter = Array("\r\n--\(text)".utf8)
        var generator = SeededGenerator(state: UInt64(text.utf8.count))
        let letters = Array("\r\n-x".utf8) + [boundary.bytes[0], boundary.bytes[boundary.bytes.count - 1]]
        for round in 0..<400 {
            // Single letters, beginnings of the delimiter of any length, now and then calm bytes or the whole of it.
            var bytes: [UInt8] = []
            while bytes.count < [10, 80, 300, 1000][round % 4] {
                switch Int.random(in: 0..<16, using: &generator) {
                case 0..<10: bytes.append(letters.randomElement(using: &generator) ?? 0)
                case 10..<13: bytes += delimiter.prefix(Int.random(in: 1...delimiter.count, using: &generator))
                case 13: bytes += delimiter
                default: bytes += [UInt8](repeating: letters[3], count: Int.random(in: 0...90, using: &generator))
                }
            }
            // The stream begins behind a CRLF that was never sent, but is reported when it was no delimiter's.
            let expected = self.searched([0x0D, 0x0A] + bytes, delimiter)
            // Beginnings held back at the end are not reported: a byte that goes on with none lets them out.
            let ended = bytes + [0x00]
            var whole = self.scanned([ended[...]], boundary)
            var inPieces = self.scanned(self.cut(ended, &generator), boundary)
            #expect(whole == inPieces, "round \(round): \(bytes)")
            #expect(whole[whole.count - 1].popLast() == 0 && inPieces[inPieces.count - 1].popLast() == 0)
            #expect(whole == expected, "round \(round): \(bytes)")
        }
    }
}

/// SplitMix64: the same numbers in every run.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var word = self.state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
