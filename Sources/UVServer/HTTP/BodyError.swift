/// Why a request body did not arrive whole. Never mistaken for its end: an incomplete body always throws.
public enum BodyError: Error, Equatable, Sendable {
    /// The connection ended or broke first; nobody is left to answer.
    case clientClosed
    /// It came too slowly, or not at all: 408.
    case timedOut
    /// The chunked coding was malformed.
    case malformed(HTTPError)
}
