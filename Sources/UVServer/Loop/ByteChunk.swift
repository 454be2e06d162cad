/// A read-only stretch of a pooled buffer. Copying a chunk shares the bytes; the buffer goes back when the last one goes.
@safe public struct ByteChunk: Sendable {
    private let buffer: IOBuffer
    private let range: Range<Int>

    /// - Precondition: `range` lies inside `buffer` and holds bytes that nobody writes any more.
    init(_ buffer: IOBuffer, _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= buffer.capacity, "a chunk lies inside its buffer")
        self.buffer = buffer
        self.range = range
    }

    public var count: Int { self.range.count }
    public var isEmpty: Bool { self.range.isEmpty }

    /// The first byte's address, valid while the chunk is held.
    @unsafe public var base: UnsafeRawPointer { unsafe UnsafeRawPointer(self.buffer.base + self.range.lowerBound) }

    /// Lends the bytes for the length of the call.
    public func withSpan<Value, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Value) throws(Failure) -> Value {
        // Safe: the buffer is held by self during the call and its bytes are initialised.
        let bytes = unsafe UnsafeBufferPointer(start: self.base.assumingMemoryBound(to: UInt8.self), count: self.count)
        return try unsafe body(bytes.span)
    }

    /// Appends a copy of the bytes.
    public func append(to bytes: inout [UInt8]) {
        // Safe: as in `withSpan`.
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: self.base.assumingMemoryBound(to: UInt8.self), count: self.count))
    }

    /// The part at `range`, counted from this chunk's first byte.
    public func slice(_ range: Range<Int>) -> ByteChunk {
        precondition(range.lowerBound >= 0 && range.upperBound <= self.count, "a slice lies inside its chunk")
        return ByteChunk(self.buffer, self.range.lowerBound + range.lowerBound..<self.range.lowerBound + range.upperBound)
    }

    /// The same bytes in a buffer of their own.
    func copied() -> ByteChunk {
        let buffer = IOBuffer(capacity: self.count <= IOBuffer.smallBytes ? IOBuffer.smallBytes : self.count)
        unsafe buffer.base.copyMemory(from: self.base, byteCount: self.count)
        return ByteChunk(buffer, 0..<self.count)
    }

    /// A chunk with a copy of `bytes`.
    public static func copying(_ bytes: [UInt8]) -> ByteChunk {
        let buffer = IOBuffer(capacity: max(bytes.count, 1))
        unsafe bytes.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            unsafe buffer.base.copyMemory(from: start, byteCount: source.count)
        }
        return ByteChunk(buffer, 0..<bytes.count)
    }
}
