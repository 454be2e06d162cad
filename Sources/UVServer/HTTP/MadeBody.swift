/// A body that is made while it is sent, piece by piece: the next one is asked for when the last one has gone out, and none once the client
/// has left. It is let go of then.
@EventLoop public protocol MadeBody: AnyObject, Sendable {
    /// The next piece; `nil` behind the last.
    /// - Throws: when it cannot be made. The connection is closed then, so that the client sees that something is missing; so it is when
    ///   the pieces together are not as long as was announced.
    func next() async throws(UVError) -> MadePiece?
}

/// A piece of a body.
public enum MadePiece: Sendable {
    case chunk(ByteChunk)
    /// Goes out by sendfile.
    case file(SharedFile, ByteSlice)

    /// In bytes.
    var length: Int64 {
        switch self {
        case .chunk(let chunk): Int64(chunk.count)
        case .file(_, let slice): slice.length
        }
    }
}
