/// A run of bytes of a file, wholly inside it: at least one byte, unless the file has none.
public struct ByteSlice: Equatable, Sendable {
    /// Of the first byte, from 0.
    public let offset: Int64
    /// In bytes.
    public let length: Int64

    public init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }

    /// The value of `Content-Range` for this slice (RFC 9110 section 14.4): `bytes 0-9/100`.
    public func contentRange(fileSize: Int64) -> String {
        "bytes \(self.offset)-\(self.offset &+ self.length &- 1)/\(fileSize)"
    }
}
