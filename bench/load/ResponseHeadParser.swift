import UVServer

/// Takes the head of an answer from the bytes as they come. Pure.
struct ResponseHeadParser {
    /// The longest head that is taken, in bytes.
    static let headBytes = 64 << 10

    private var collected: [UInt8] = []

    /// Reads on from `index` and moves it behind what belongs to the head; `nil` while it has not ended.
    /// - Throws: `.malformed` for what is not the head of an HTTP/1 answer, or has no end.
    mutating func next(_ bytes: Span<UInt8>, at index: inout Int) throws(LoadFailure) -> ResponseHead? {
        while index < bytes.count {
            self.collected.append(bytes[index])
            index += 1
            guard self.collected.last == ASCII.lineFeed else {
                guard self.collected.count < Self.headBytes else { throw .malformed("its head has no end") }
                continue
            }
            let line = self.collected.dropLast()
            guard line.hasSuffix("\n\r") || line.hasSuffix("\n") else { continue }
            let end = line.hasSuffix("\n\r") ? line.count - 2 : line.count - 1
            defer { self.collected = [] }
            return try ResponseHead(self.collected[..<end])
        }
        return nil
    }

    /// Whether a head has begun.
    var hasStarted: Bool { !self.collected.isEmpty }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ text: StaticString) -> Bool {
        self.suffix(text.utf8CodeUnitCount).elementsEqual("\(text)".utf8)
    }
}
