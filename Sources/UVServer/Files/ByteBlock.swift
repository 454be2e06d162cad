internal import Glibc

/// A pooled buffer of 256 KiB that is being filled, with bytes from memory and from files; what is in it goes on as a chunk.
@safe public struct ByteBlock: ~Copyable, Sendable {
    private let buffer: IOBuffer
    /// How many bytes are in it.
    public private(set) var count = 0

    /// How many bytes fit into an empty one.
    public static let capacity = IOBuffer.largeBytes

    public init() { self.buffer = IOBuffer(capacity: Self.capacity) }

    /// How many bytes more fit.
    public var room: Int { self.buffer.capacity - self.count }

    /// - Precondition: they fit.
    public mutating func append(_ bytes: [UInt8]) {
        precondition(bytes.count <= self.room, "a block holds what fits into it")
        // Safe: there is room for them.
        unsafe bytes.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            unsafe (self.buffer.base + self.count).copyMemory(from: start, byteCount: source.count)
        }
        self.count += bytes.count
    }

    /// Appends what one call reads of a file, `limit` bytes at most and what fits. Blocks.
    /// - Returns: how many bytes it read; 0 at the file's end, or without room.
    public mutating func read(_ file: SharedFile, at offset: Int64, limit: Int64) throws(UVError) -> Int {
        let wanted = Int(min(Int64(self.room), limit))
        while true {
            // Safe: there is room for them.
            let read = unsafe pread(file.descriptor, self.buffer.base + self.count, wanted, off_t(offset))
            guard read < 0 else {
                self.count += read
                return read
            }
            guard errno == EINTR else { throw .last("pread") }
        }
    }

    /// The CRC-32 of what was appended last.
    /// - Parameter start: that of what came before; 0 for nothing.
    public func crc32(ofLast count: Int, after start: UInt32) -> UInt32 {
        precondition((0...self.count).contains(count), "only what is in it")
        // Safe: so many bytes are in it.
        let bytes = unsafe UnsafeRawBufferPointer(start: self.buffer.base + self.count - count, count: count)
        return unsafe Checksum.crc32(bytes, after: start)
    }

    public consuming func finish() -> ByteChunk { ByteChunk(self.buffer, 0..<self.count) }
}
