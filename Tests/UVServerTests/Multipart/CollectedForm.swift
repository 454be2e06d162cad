import UVServer

/// A form as a consumer sees it: whole parts with their content put together.
struct CollectedForm: Equatable {
    struct Part: Equatable {
        var head: PartHead
        var content: [UInt8] = []
    }

    private(set) var parts: [Part] = []
    private var open: Part?
    private var isFinished = false

    /// Parses `pieces` as one body.
    /// - Throws: what the parser throws.
    init(_ pieces: [ArraySlice<UInt8>], boundary: Boundary, limits: MultipartLimits = MultipartLimits()) throws(MultipartError) {
        var parser = MultipartParser(boundary: boundary, limits: limits)
        for piece in pieces {
            let bytes = [UInt8](piece)
            var index = 0
            while let event = try parser.next(bytes.span, at: &index) {
                self.take(event, from: bytes, delimiter: parser.delimiter)
            }
            precondition(index == bytes.count, "the parser left bytes unread")
        }
        try parser.finish()
        precondition(self.isFinished && self.open == nil, "a whole form has no open part")
    }

    private mutating func take(_ event: MultipartParser.Event, from bytes: [UInt8], delimiter: [UInt8]) {
        switch event {
        case .partBegan(let head):
            precondition(self.open == nil && !self.isFinished, "a part began inside another")
            self.open = Part(head: head)
        case .delimiterBytes(let count):
            self.open!.content += delimiter.prefix(count)
        case .body(let range):
            precondition(!range.isEmpty, "an empty range was reported")
            self.open!.content += bytes[range]
        case .partEnded:
            self.parts.append(self.open!)
            self.open = nil
        case .finished:
            precondition(!self.isFinished, "the form finished twice")
            self.isFinished = true
        }
    }
}

/// What parsing `body` in `pieces` gives: the parts, or the error.
func outcome(_ pieces: [ArraySlice<UInt8>], _ boundary: String, _ limits: MultipartLimits) -> Result<
    [CollectedForm.Part], MultipartError
> {
    do throws(MultipartError) {
        let boundary = try Boundary(contentType: "multipart/form-data; boundary=\"\(boundary)\"")
        return .success(try CollectedForm(pieces, boundary: boundary, limits: limits).parts)
    } catch {
        return .failure(error)
    }
}

/// The outcome of `body` read whole, and the first cut, if any, at which the outcome is another: in two at every byte, and
/// byte by byte (a cut of -1).
func everyCut(
    _ body: [UInt8], boundary: String, limits: MultipartLimits = MultipartLimits()
) -> (whole: Result<[CollectedForm.Part], MultipartError>, differsAt: Int?) {
    let whole = outcome([body[...]], boundary, limits)
    guard outcome(body.indices.map { body[$0...$0] }, boundary, limits) == whole else { return (whole, -1) }
    return (whole, (0...body.count).first { outcome([body[..<$0], body[$0...]], boundary, limits) != whole })
}

/// A part's text on the wire, from its delimiter line to the CRLF after its content.
func part(_ boundary: String, _ disposition: String, _ content: [UInt8]) -> [UInt8] {
    Array("--\(boundary)\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n".utf8) + content + Array("\r\n".utf8)
}
