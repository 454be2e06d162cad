/// The body of a response: bytes in memory, an open file that goes out by sendfile, or what is made on the way.
public enum ResponseBody: ~Copyable, Sendable {
    case none
    /// The answer to a HEAD whose body is not made: `Content-Length` is not told.
    case omitted
    case bytes([UInt8])
    /// Pieces in order: stretches of the file, and for multipart/byteranges the heads between them.
    case file(OwnedFile, [Piece])
    /// Made while it is sent; so many bytes.
    case made(any MadeBody, length: Int64)

    public enum Piece: Sendable {
        case bytes([UInt8])
        case slice(ByteSlice)
    }

    /// How many bytes the body has; `nil` when that is not known.
    var length: Int64? {
        switch self {
        case .none: 0
        case .omitted: nil
        case .made(_, let length): length
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, let pieces):
            pieces.reduce(into: 0) { sum, piece in
                switch piece {
                case .bytes(let bytes): sum += Int64(bytes.count)
                case .slice(let slice): sum += slice.length
                }
            }
        }
    }
}
