import TestSupport

/// What a folder must hold, by what was sent and what was answered.
struct FolderModel {
    private enum Content {
        case exact([UInt8])
        /// Some stretch of a form. Where a part ends is the form's affair.
        case within([UInt8])

        func admits(_ found: [UInt8]) -> Bool {
            switch self {
            case .exact(let bytes): isSame(found, bytes)
            case .within(let bytes): FolderModel.contains(bytes, found)
            }
        }
    }

    /// By their paths from the folder down.
    private var files: [String: Content] = [:]
    /// How often each method got each status, as in `PUT 201`.
    private(set) var answers: [String: Int] = [:]
    /// Files that were there and that a request has deleted.
    private(set) var deletions = 0
    /// Files of which a request has been given all or a part.
    private(set) var reads = 0

    var paths: [String] { Array(self.files.keys) }

    /// Takes one exchange into account.
    /// - Parameter sent: `nil` for what had no whole head.
    /// - Returns: what is wrong with the answer; `nil` when nothing is.
    mutating func take(_ sent: SentRequest?, _ reply: HTTPReply) throws -> String? {
        if [500, 503, 507].contains(reply.status) { return "the server failed: \(reply.status)" }
        if let sent { self.answers["\(sent.method) \(reply.status)", default: 0] += 1 }
        guard let sent else { return reply.closes && reply.status >= 400 ? nil : "\(reply.status) to no request" }
        // What changes nothing, or needs no body, may be answered before there is one; but then nothing can follow.
        if sent.body == nil, !reply.closes { return "\(reply.status) to a request without an end, and not the last answer" }
        let deletes = sent.path.hasPrefix("delete/") ? String(sent.path.dropFirst(7)) : nil
        switch (sent.method, reply.status) {
        case ("PUT", 201), ("PUT", 204):
            guard let body = sent.body else { return "stored a body without an end" }
            let place = SentRequest.decoded(Array((reply["location"] ?? "").utf8)[...])
            guard place == sent.path else { return "stored as \(place) what was sent as \(sent.path)" }
            guard (self.files.updateValue(.exact(body), forKey: place) == nil) == (reply.status == 201) else {
                return "\(reply.status)"
            }
        case ("POST", 201):
            return try self.takeForm(reply.listing.files.map { SentRequest.decoded(Array($0.url.utf8)[...]) }, sent)
        case ("POST", 303) where deletes == nil:
            let names = reply.text.split(separator: "\n").map { String($0.dropFirst("stored ".count)) }
            return self.takeForm(names.map { sent.path.isEmpty ? $0 : "\(sent.path)/\($0)" }, sent)
        case ("POST", 204), ("POST", 303), ("GET", 303):
            guard let deletes else { return "\(reply.status)" }
            return self.remove(deletes)
        case ("DELETE", 204): return self.remove(sent.path)
        case ("GET", 200), ("GET", 206), ("GET", 404), ("HEAD", 200), ("HEAD", 404): return self.read(sent, reply)
        default: break
        }
        return nil
    }

    /// Another program than the server removes a file.
    mutating func forget(_ path: String) { self.files[path] = nil }

    private mutating func remove(_ path: String) -> String? {
        guard self.files.removeValue(forKey: path) == nil else {
            self.deletions += 1
            return nil
        }
        return path != "sub" ? "deleted \(path), which was not there" : nil
    }

    private mutating func takeForm(_ paths: [String], _ sent: SentRequest) -> String? {
        guard let body = sent.body, !paths.isEmpty else { return "a form without an end or without files was taken" }
        for path in paths { self.files[path] = .within(body) }
        return nil
    }

    private mutating func read(_ sent: SentRequest, _ reply: HTTPReply) -> String? {
        guard let content = self.files[sent.path] else { return nil }
        let length = reply["content-length"].flatMap { Int($0) }
        // A slash too many asks for a folder.
        if reply.status == 404 { return sent.hasPlainPath ? "\(sent.path) is not found" : nil }
        self.reads += 1
        switch reply.status {
        case 200 where sent.method == "HEAD":
            guard case .exact(let bytes) = content else { return nil }
            return length == bytes.count ? nil : "\(sent.path) has another length"
        case 200: return content.admits(reply.body) ? nil : "\(sent.path) has another content"
        default:
            let isIn =
                switch content {
                case .exact(let bytes), .within(let bytes): reply.parts != nil || Self.contains(bytes, reply.body)
                }
            return isIn ? nil : "a range of \(sent.path) is not in it"
        }
    }

    /// Looks at the folder when all is answered; what a form brought is known from then on.
    /// - Returns: how the folder differs; `nil` when it does not.
    mutating func difference(to folder: TemporaryFolder) -> String? {
        let found = folder.allFiles.filter { !$0.key.hasPrefix(".uvdrop/") }
        guard Set(found.keys) == Set(self.files.keys) else {
            return "there is \(found.keys.sorted()) instead of \(self.files.keys.sorted())"
        }
        for (path, content) in self.files {
            guard let bytes = folder.read(path), content.admits(bytes) else { return "\(path) holds something else" }
            self.files[path] = .exact(bytes)
        }
        return nil
    }

    private static func contains(_ whole: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard whole.count >= part.count else { return false }
        for start in 0...(whole.count - part.count) where whole[start] == first {
            if whole[start..<(start + part.count)].elementsEqual(part) { return true }
        }
        return false
    }
}
