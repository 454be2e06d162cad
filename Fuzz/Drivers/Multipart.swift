@testable import UVServer

// First line: where the body is cut. Second line: the boundary. Then the body.

private struct Part: Equatable {
    let head: PartHead
    var content: [UInt8] = []
}

func fuzz(_ bytes: [UInt8]) {
    var input = FuzzInput(bytes)
    let cuts = input.cuts()
    let written = "multipart/form-data; boundary=\"\(input.text())\""
    guard let boundary = try? Boundary(contentType: written) else { return }
    let body = Array(input.rest)
    var tight = MultipartLimits()
    tight.parts = 2
    tight.partHeadBytes = 90
    tight.partHeadFields = 2
    tight.preambleBytes = 8
    tight.epilogueBytes = 8
    for limits in [MultipartLimits(), tight] {
        let whole = outcome([body], boundary, limits)
        expectEqual(outcome(cuts.pieces(body), boundary, limits), whole, "cut, the form is another")
    }
    let found = try? outcome([body], boundary, MultipartLimits()).get()
    expectEqual(found, reference(body, boundary), "the form is what a plain search finds")
    roundTrip(body, boundary, cuts)
}

private func outcome(
    _ pieces: [[UInt8]], _ boundary: Boundary, _ limits: MultipartLimits
) -> Result<[Part], MultipartError> {
    var parser = MultipartParser(boundary: boundary, limits: limits)
    var parts: [Part] = []
    var open: Part?
    var hasFinished = false
    do throws(MultipartError) {
        for piece in pieces {
            var index = 0
            while let event = try parser.next(piece.span, at: &index) {
                expect(index <= piece.count, "an event ends inside its piece")
                switch event {
                case .partBegan(let head):
                    expect(open == nil && !hasFinished, "parts come one after the other")
                    open = Part(head: head)
                case .delimiterBytes(let count):
                    expect((1..<parser.delimiter.count).contains(count), "what looked like a delimiter was a part of one")
                    open!.content += parser.delimiter.prefix(count)
                case .body(let range):
                    expect(!range.isEmpty && range.upperBound <= index, "content has been read")
                    open!.content += piece[range]
                case .partEnded:
                    parts.append(open!)
                    open = nil
                case .finished:
                    expect(open == nil && !hasFinished, "a form finishes once, behind its parts")
                    hasFinished = true
                }
            }
            expectEqual(index, piece.count, "a parser that wants more has read all")
        }
        try parser.finish()
    } catch {
        return .failure(error)
    }
    expect(hasFinished, "only a finished form is whole")
    return .success(parts)
}

/// The same by searching the whole body for its delimiter, a byte at a time; `nil` where it is malformed.
private func reference(_ body: [UInt8], _ boundary: Boundary) -> [Part]? {
    let limits = MultipartLimits()
    let delimiter = Array("\r\n--".utf8) + boundary.bytes
    // The first delimiter may stand at the very beginning, without its line end.
    let text = Array("\r\n".utf8) + body
    guard var place = find(delimiter, in: text, from: 0), place - 2 <= limits.preambleBytes else { return nil }
    var parts: [Part] = []
    while true {
        place += delimiter.count
        if text[place...].starts(with: "--".utf8) {
            let next = text[(place + 2)...].first { $0 != 0x20 && $0 != 0x09 }
            guard text.count - place - 2 <= limits.epilogueBytes else { return nil }
            return next == nil || next == 0x0D || next == 0x0A ? parts : nil
        }
        while place < text.count, text[place] == 0x20 || text[place] == 0x09 { place += 1 }
        guard text[place...].starts(with: "\r\n".utf8), parts.count < limits.parts else { return nil }
        guard let headEnd = find(Array("\r\n\r\n".utf8), in: text, from: place) else { return nil }
        let headBytes = Array(text[(place + 2)..<(headEnd + 4)])
        var parser = PartHeadParser(limits: limits)
        var index = 0
        guard let head = try? parser.next(headBytes.span, at: &index), index == headBytes.count else { return nil }
        guard let end = find(delimiter, in: text, from: headEnd + 4) else { return nil }
        parts.append(Part(head: head, content: Array(text[(headEnd + 4)..<end])))
        place = end
    }
}

/// Sends `bytes` as the contents of parts, and looks whether they arrive.
private func roundTrip(_ bytes: [UInt8], _ boundary: Boundary, _ cuts: Cuts) {
    let contents = cuts.pieces(bytes).prefix(8)
    let line = Array("--".utf8) + boundary.bytes
    let head = PartHead(name: Array("f".utf8), filename: Array("a b".utf8), contentType: "a/b")
    let headText = "\r\nContent-Type: a/b\r\nContent-Disposition: form-data; name=f; filename=\"a b\"\r\n\r\n"
    var body: [UInt8] = []
    for content in contents {
        // Content that holds the delimiter cannot be sent with this boundary, not even without the line end at its beginning.
        let delimiter = [0x0D, 0x0A] + line
        guard find(delimiter, in: Array(([0x0D, 0x0A] + content + delimiter).dropLast()), from: 0) == nil else { return }
        body += line + Array(headText.utf8) + content + [0x0D, 0x0A]
    }
    body += line + Array("--\r\n".utf8)
    let expected = contents.map { Part(head: head, content: $0) }
    expectEqual(outcome(cuts.pieces(body), boundary, MultipartLimits()), .success(expected), "what is sent as parts arrives")
}

/// The first place at or after `start` where `wanted` stands in `bytes`.
private func find(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    var place = start
    while place + wanted.count <= bytes.count {
        var length = 0
        while length < wanted.count, bytes[place + length] == wanted[length] { length += 1 }
        if length == wanted.count { return place }
        place += 1
    }
    return nil
}
