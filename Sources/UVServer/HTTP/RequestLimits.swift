/// The most one request, and one connection, may cost. Every value is checked before memory or time is spent past it.
public struct RequestLimits: Sendable {
    /// Longest request line, in bytes, without its line end. Past it: 414.
    public var requestLineBytes = 8 << 10
    /// Longest head, in bytes, request line included, without the two line ends that close it. Past it: 431.
    public var headBytes = 64 << 10
    /// Most field lines in a head. Past it: 431.
    public var fieldCount = 100
    /// Most bytes of chunk extensions in one body, all its chunks together. Past it: 400.
    public var chunkExtensionBytes = 16 << 10
    /// Most bytes of trailer fields after a chunked body. Past it: 431.
    public var trailerBytes = 8 << 10

    /// From the first byte of a head to its last, however it drips. Past it: 408.
    public var headDeadline: Duration = .seconds(10)
    /// How long the client of a body may be waited for beyond what its bytes are worth at `bytesPerSecond`: the longest pause. Past it:
    /// 408.
    public var bodyGrace: Duration = .seconds(60)
    /// The same of a client that reads a response; it is looked at four times as often. Past it the connection is dropped.
    public var writeGrace: Duration = .seconds(60)
    /// How fast bodies and responses have to be on average, from 1. Only time in which the client is waited for counts.
    public var bytesPerSecond: Int64 = 256
    /// From the end of a response to the first byte of the next head. Past it the connection is closed.
    public var keepAliveDeadline: Duration = .seconds(75)
    /// How long the rest of a refused body is read and thrown away so that the answer arrives. Past it: dropped.
    public var lingerDeadline: Duration = .seconds(30)
    /// As `lingerDeadline`, once the server stops.
    public var stoppingLingerDeadline: Duration = .seconds(1)
    /// How many bytes of a refused body are read and thrown away. Past it: dropped.
    public var lingerBytes: Int64 = 66 << 20
    /// Most connections open at once. Past it, the one that has been idle longest makes room for a new one; when none is idle, new ones
    /// wait in the kernel's queue.
    public var connections = 1000
    /// Most connections open at once from one address; `nil`: no limit. Past it, the one of that address that has been idle longest makes
    /// room; when none is idle, the new one is answered with 503 and closed.
    public var connectionsPerAddress: Int?
    /// Most files kept open for answers that are remembered, for a second each.
    public var rememberedFiles = 64
    /// Most descriptors that connections and their answers hold together: one each connection, two more each request that is being
    /// answered. Where they are short, idle connections make room; when there are none, requests wait in turn.
    public var descriptors = 3000
    /// How long a new connection may say nothing before it counts as idle.
    public var silence: Duration = .seconds(1)

    public init() {}
}
