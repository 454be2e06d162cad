/// The body of one request, read piece by piece as it arrives; reading it draws bytes from the socket, so an unread body
/// costs two receive buffers at most.
@EventLoop public final class RequestBody {
    /// Chunks below this many bytes are put together.
    private static let smallBytes = 4 << 10
    /// Up to about this many.
    private static let gatheredBytes = 64 << 10

    /// And at most so many, which is what one turn of the loop takes of a sender of single bytes.
    private static let gatheredPieces = 4096

    private let source: any BodySource
    private let framing: BodyFraming
    private var decoder: ChunkedDecoder
    private var remaining: Int64
    private var mustContinue: Bool
    private var failure: BodyError?
    /// Whether the last byte has been read.
    public private(set) var isComplete: Bool

    init(from source: any BodySource, framing: BodyFraming, expectsContinue: Bool, limits: RequestLimits) {
        self.source = source
        self.framing = framing
        self.decoder = ChunkedDecoder(limits: limits)
        switch framing {
        case .none: (self.remaining, self.isComplete) = (0, true)
        case .length(let length): (self.remaining, self.isComplete) = (length, length == 0)
        case .chunked: (self.remaining, self.isComplete) = (0, false)
        }
        self.mustContinue = expectsContinue && !self.isComplete
    }

    /// The length that was announced; `nil` for a chunked body.
    public var announcedLength: Int64? {
        switch self.framing {
        case .none: 0
        case .length(let length): length
        case .chunked: nil
        }
    }

    /// Whether the connection it comes from has broken.
    var isAbandoned: Bool { self.source.stream.isBroken }

    /// The size of the buffers to receive it in: no larger than a small body needs, and large enough for few writes.
    var bufferBytes: Int {
        switch self.framing {
        case .none: IOBuffer.smallBytes
        case .length(let length) where length <= IOBuffer.smallBytes: IOBuffer.smallBytes
        case .length(let length) where length <= IOBuffer.largeBytes: IOBuffer.largeBytes
        case .length: IOBuffer.bulkBytes
        case .chunked: IOBuffer.largeBytes
        }
    }

    /// How much of the announced length has not been read; `nil` for a chunked body.
    var unreadLength: Int64? { self.framing == .chunked ? nil : self.remaining }

    /// The next piece; `nil` only after the last byte of a complete body.
    ///
    /// The first call answers `100 Continue` to a client that waits for it (RFC 9110 section 10.1.1).
    ///
    /// - Throws: `.clientClosed` when the connection ended first, `.timedOut` when it came too slowly, `.malformed` for bad chunks.
    public func read() async throws(BodyError) -> ByteChunk? {
        if let failure = self.failure { throw failure }
        do throws(BodyError) { return try await self.readNext() } catch {
            self.failure = error
            throw error
        }
    }

    private func readNext() async throws(BodyError) -> ByteChunk? {
        guard !self.isComplete else { return nil }
        if self.mustContinue {
            self.mustContinue = false
            guard await self.source.sendContinue() else { throw .clientClosed }
        }
        while !self.isComplete {
            guard let data = try await self.take() else { continue }
            guard self.framing == .chunked, data.count < Self.smallBytes else { return data }
            return try await self.gather(data)
        }
        return nil
    }

    /// Takes one received piece, and waits for it if there is none; `nil` when it held framing only.
    private func take() async throws(BodyError) -> ByteChunk? {
        let chunk = try await self.source.receiveBody()
        guard self.framing != .chunked else { return try self.decode(chunk) }
        let count = Int(min(Int64(chunk.count), self.remaining))
        self.remaining -= Int64(count)
        self.isComplete = self.remaining == 0
        self.source.stream.unread(chunk.slice(count..<chunk.count))
        return chunk.slice(0..<count)
    }

    /// Puts small chunks that have already come together with the ones after them: a sender of single bytes must not cost a
    /// write each. Never waits for the network.
    private func gather(_ first: ByteChunk) async throws(BodyError) -> ByteChunk {
        guard self.source.stream.hasBytes else { return first }
        var bytes: [UInt8] = []
        first.append(to: &bytes)
        var pieces = 1
        while !self.isComplete, bytes.count < Self.gatheredBytes, pieces < Self.gatheredPieces, self.source.stream.hasBytes {
            pieces += 1
            if let data = try await self.take() { data.append(to: &bytes) }
        }
        return ByteChunk.copying(bytes)
    }

    /// Takes one piece of data out of `chunk` and puts back what follows it.
    private func decode(_ chunk: ByteChunk) throws(BodyError) -> ByteChunk? {
        var index = 0
        var event: ChunkedDecoder.Event?
        do throws(HTTPError) {
            event = try chunk.withSpan { (bytes: Span<UInt8>) throws(HTTPError) in try self.decoder.next(bytes, at: &index) }
        } catch {
            throw .malformed(error)
        }
        self.source.stream.unread(chunk.slice(index..<chunk.count))
        switch event {
        case .data(let range)?: return chunk.slice(range)
        case .end?:
            self.isComplete = true
            return nil
        case nil: return nil
        }
    }

    /// Takes what has already come, so that a small body that no route wanted need not cost the connection. Never waits for the
    /// client, who may be waiting for the answer.
    func discardReceived() async {
        guard !self.mustContinue else { return }
        var pieces = 0
        while !self.isComplete, self.failure == nil, self.source.stream.hasBytes, pieces < 8 {
            pieces += 1
            do throws(BodyError) { _ = try await self.take() } catch { self.failure = error }
        }
    }
}
