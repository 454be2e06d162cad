extension HTTPReply {
    /// The final answers in all that a server has sent, each with its body.
    ///
    /// - Parameter methods: what they answer, in order; what has none is no HEAD.
    /// - Throws: when the bytes are anything else than whole answers.
    public static func all(in stream: [UInt8], to methods: [String]) throws -> [HTTPReply] {
        var replies: [HTTPReply] = []
        var rest = stream[...]
        while !rest.isEmpty {
            guard let length = rest.headLength, var reply = HTTPReply(head: Array(rest.prefix(length))) else {
                throw TestFailure("not an answer: \(String(decoding: rest.prefix(200), as: UTF8.self).debugDescription)")
            }
            rest = rest.dropFirst(length + 4)
            if (100..<200).contains(reply.status) { continue }
            let isHead = replies.count < methods.count && methods[replies.count] == "HEAD"
            // A HEAD that was not understood as one is answered like anything else.
            let hasNone = [204, 304].contains(reply.status) || isHead && (rest.isEmpty || rest.starts(with: "HTTP/1.1 ".utf8))
            if !hasNone {
                guard let count = reply["content-length"].flatMap({ Int($0) }), count <= rest.count else {
                    throw TestFailure("an answer \(reply.status) that is cut off after \(rest.count) bytes")
                }
                reply.body = Array(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            replies.append(reply)
        }
        return replies
    }
}

extension ArraySlice<UInt8> {
    /// How many bytes come before the first empty line.
    public var headLength: Int? {
        for index in self.indices.dropLast(3)
        where self[index] == 13 && self[index + 1] == 10 && self[index + 2] == 13 && self[index + 3] == 10 {
            return index - self.startIndex
        }
        return nil
    }
}
