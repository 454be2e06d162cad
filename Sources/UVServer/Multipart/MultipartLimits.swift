/// The most the framing of one multipart body may cost. The size of the files is not limited here.
public struct MultipartLimits: Sendable {
    /// Parts in one body, fields and files together. Past it: 413.
    public var parts = 1000
    /// One part's head in bytes, with its line ends and the padding of the delimiter line before it. Past it: 400.
    public var partHeadBytes = 16 << 10
    /// Header fields in one part's head. Past it: 400.
    public var partHeadFields = 32
    /// Bytes before the first delimiter, which are read and dropped. Past it: 400.
    public var preambleBytes = 64 << 10
    /// Bytes behind the closing delimiter, which are read and dropped. Past it: 400.
    public var epilogueBytes = 64 << 10

    public init() {}
}
