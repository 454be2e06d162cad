import UVServer

/// Where the body of an answer ends (RFC 9112 section 6.3). Pure: bytes in, content out.
struct AnswerFraming {
    private enum State {
        case length(Int64)
        case chunked(ChunkedDecoder)
        /// Whatever comes until the server closes.
        case untilClose
        case ended
    }

    private var state: State
    /// Whether the connection can be used again when the body has ended.
    let endsByItself: Bool

    /// - Parameter method: of the request: an answer to HEAD has no body.
    init(_ head: ResponseHead, to method: String) {
        self.state =
            if method == "HEAD" || head.status == 204 || head.status == 304 {
                .ended
            } else if head.isChunked {
                .chunked(ChunkedDecoder(limits: RequestLimits()))
            } else if let length = head.contentLength {
                length == 0 ? .ended : .length(length)
            } else {
                .untilClose
            }
        if case .untilClose = self.state { self.endsByItself = false } else { self.endsByItself = true }
    }

    var hasEnded: Bool {
        if case .ended = self.state { true } else { false }
    }

    /// The next stretch of content from `index` on, as a range of `bytes`; `nil` when the body has ended or all bytes are used up.
    /// - Throws: `.malformed` for chunks that are none.
    mutating func next(_ bytes: Span<UInt8>, at index: inout Int) throws(LoadFailure) -> Range<Int>? {
        guard index < bytes.count else { return nil }
        switch self.state {
        case .ended: return nil
        case .untilClose:
            defer { index = bytes.count }
            return index..<bytes.count
        case .length(let left):
            let start = index
            let count = min(left, Int64(bytes.count - index))
            index += Int(count)
            self.state = left == count ? .ended : .length(left - count)
            return start..<index
        case .chunked(var decoder):
            let event: ChunkedDecoder.Event?
            do throws(HTTPError) { event = try decoder.next(bytes, at: &index) } catch { throw .malformed("a bad chunk") }
            self.state = .chunked(decoder)
            if case .data(let range) = event { return range }
            if event == .end { self.state = .ended }
            return nil
        }
    }

    /// The server has closed.
    /// - Throws: `.cut` where that is not how the body ends.
    mutating func close() throws(LoadFailure) {
        switch self.state {
        case .ended: return
        case .untilClose: self.state = .ended
        case .length(let left): throw .cut(missing: left)
        case .chunked: throw .cut(missing: nil)
        }
    }
}
