/// All rows, in sections.
public enum RawRequests {
    public struct Section: Sendable, CustomStringConvertible {
        public let description: String
        public let rows: [RawRequest]
    }

    public static let sections = [
        Section(description: "RFC 9112 section 2.2: line ends", rows: Self.lineEnds),
        Section(description: "RFC 9112 sections 2.2 and 5.5: control bytes", rows: Self.controlBytes),
        Section(description: "RFC 9112 section 3: request lines", rows: Self.requestLines),
        Section(description: "RFC 9112 section 3.2: targets", rows: Self.targets),
        Section(description: "RFC 9112 section 3.2: paths", rows: Self.paths),
        Section(description: "RFC 9110 section 7.2: Host", rows: Self.hosts),
        Section(description: "RFC 9112 section 5: fields", rows: Self.fields),
        Section(description: "RFC 9112 section 6.1: transfer codings", rows: Self.codings),
        Section(description: "RFC 9112 section 6.2: lengths", rows: Self.lengths),
        Section(description: "RFC 9112 section 7.1: chunks", rows: Self.chunks),
        Section(description: "RFC 9112 section 9: connections", rows: Self.connections),
        Section(description: "RFC 9110 section 9: methods", rows: Self.methods),
        Section(description: "RFC 9110 section 10.1.1: expectations", rows: Self.expectations),
    ]

    /// What the rows ask for.
    public static func fill(_ folder: TemporaryFolder) throws {
        try folder.write("a", "first")
        try folder.write("after", "after")
        try folder.write("kept", "kept")
        try folder.makeFolder("sub")
    }

    /// A request that is right, and its answer's text.
    public static let before = (request: [UInt8](RawRequest.get().utf8), text: "first")

    /// What is sent behind `row`: a request that is to be answered, or one that must never be.
    public static func follower(of row: RawRequest) -> [UInt8] {
        [UInt8](
            RawRequest.head(row.ending == .open || row.ending == .unread ? "GET /after HTTP/1.1" : "DELETE /kept HTTP/1.1").utf8)
    }

    /// Reads what was answered to `row` and to what was sent behind it.
    /// - Returns: what is wrong with it; `nil` when nothing is.
    public static func fault(in client: RawClient, after row: RawRequest) throws -> String? {
        let reply = try client.readReply(to: row.method)
        guard reply.status == row.status else { return "\(reply.status) instead of \(row.status)" }
        if row.status >= 400, row.method != "HEAD", reply.body.isEmpty { return "no words" }
        if row.status == 405, reply["allow"] == nil { return "no Allow" }
        guard row.ending == .open || row.ending == .unread && !reply.closes else {
            guard reply.closes else { return "no Connection: close" }
            return try client.endsCleanly() ? nil : "what follows was answered"
        }
        guard !reply.closes else { return "the connection is given up" }
        let next = try client.readReply()
        guard next.status == 200, next.text == "after" else { return "what follows was answered \(next.status) \(next.text)" }
        client.halfClose()
        return try client.endsCleanly() ? nil : "more answers than requests"
    }
}
