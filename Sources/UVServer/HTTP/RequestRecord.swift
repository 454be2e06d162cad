/// What the log tells of one request.
public struct RequestRecord: Sendable {
    public let client: String
    public let method: String
    /// The path as it was sent, without its query, which may hold what no log should.
    public let path: [UInt8]
    public let status: Int
    /// Body bytes that were sent.
    public let sentBytes: Int64
    /// Whether the answer went out to its end.
    public let isWhole: Bool
    public let duration: Duration

    public init(
        client: String, method: String, path: [UInt8], status: Int, sentBytes: Int64, isWhole: Bool = true, duration: Duration
    ) {
        self.client = client
        self.method = method
        self.path = path
        self.status = status
        self.sentBytes = sentBytes
        self.isWhole = isWhole
        self.duration = duration
    }
}
