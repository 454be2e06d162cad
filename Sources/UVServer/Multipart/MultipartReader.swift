/// Reads a multipart body as it arrives, part by part and piece by piece; nothing of a part's content is gathered.
@EventLoop public final class MultipartReader {
    public enum Event: Sendable {
        case partBegan(PartHead)
        /// The next bytes of the part: received bytes, not a copy.
        case bytes(ByteChunk)
        case partEnded
    }

    public enum Failure: Error, Sendable {
        case body(BodyError)
        case multipart(MultipartError)
    }

    private let body: RequestBody
    private var parser: MultipartParser
    private let delimiter: ByteChunk
    private var chunk: ByteChunk?
    private var index = 0

    public init(body: RequestBody, boundary: Boundary, limits: MultipartLimits) {
        self.body = body
        self.parser = MultipartParser(boundary: boundary, limits: limits)
        self.delimiter = ByteChunk.copying(self.parser.delimiter)
    }

    /// The most bytes that a part which has just begun can have: what is still to come, less the closing delimiter. `nil` when the
    /// length of the body was not announced.
    public var longestPart: Int64? {
        guard let unread = self.body.unreadLength else { return nil }
        let unparsed = self.chunk.map { $0.count - self.index } ?? 0
        return max(0, unread + Int64(unparsed - self.delimiter.count - 2))
    }

    /// The next event; `nil` after the closing delimiter and the end of the body.
    ///
    /// - Throws: `.body` when the body did not arrive whole, `.multipart` when it is malformed, cut off or past a limit.
    public func next() async throws(Failure) -> Event? {
        while true {
            if let chunk = self.chunk {
                switch try self.parse(chunk) {
                case .partBegan(let head)?: return .partBegan(head)
                case .body(let range)?: return .bytes(chunk.slice(range))
                case .delimiterBytes(let count)?: return .bytes(self.delimiter.slice(0..<count))
                case .partEnded?: return .partEnded
                case .finished?: continue
                case nil: self.chunk = nil
                }
            }
            do throws(BodyError) { self.chunk = try await self.body.read() } catch { throw .body(error) }
            self.index = 0
            if self.chunk == nil {
                do throws(MultipartError) { try self.parser.finish() } catch { throw .multipart(error) }
                return nil
            }
        }
    }

    private func parse(_ chunk: ByteChunk) throws(Failure) -> MultipartParser.Event? {
        do throws(MultipartError) {
            return try chunk.withSpan { (bytes: Span<UInt8>) throws(MultipartError) in
                try self.parser.next(bytes, at: &self.index)
            }
        } catch {
            throw .multipart(error)
        }
    }
}
