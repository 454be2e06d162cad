import TestSupport

/// A request that changes the folder, and can be sent again and again.
struct FailingRequest: CustomStringConvertible {
    let description: String
    /// Of the server.
    var options: [String] = []
    /// Some of the calls that the server makes, to see that they are found.
    let expectedCalls: Set<String>
    /// Whether an old file goes by it.
    var changesAtOnce = false
    /// What is there before it, and what has to be there after it.
    private let before: [String: Content]
    private let after: [String: Content]
    private let bytes: [UInt8]
    private let method: String

    private init(
        _ name: String, _ method: String, _ target: String, _ fields: [(String, String)] = [], body: [UInt8]?,
        after: [String: Content], before: [String: Content] = [:], expecting calls: Set<String>
    ) {
        self.description = name
        self.method = method
        self.bytes = HTTPRequest.bytes(method, target, fields + [("Connection", "close")], body: body)
        self.before = before
        self.after = after
        self.expectedCalls = calls
    }

    private static let bystander = Content(number: 1, size: 5_000)
    private static let old = Content(number: 2, size: 70_001)
    private static let small = (0..<3).map { Content(number: 10 + $0, size: 3_000 + $0) }
    private static let large = Content(number: 20, size: 300_000)

    static var all: [FailingRequest] {
        let (many, manyAfter) = self.form(self.small)
        let (mixed, mixedAfter) = self.form([self.large, self.small[0]])
        let chunks = HTTPRequest.chunked(self.large.bytes, size: 100_000)
        return [
            FailingRequest(
                "PUT of a small file", "PUT", "/new", body: self.small[0].bytes, after: ["new": self.small[0]],
                expecting: ["openat", "pwrite64", "fsync", "linkat"]),
            FailingRequest(
                "PUT of a large file", "PUT", "/new", body: self.large.bytes, after: ["new": self.large],
                expecting: ["openat", "fallocate", "pwrite64", "fsync", "linkat"]),
            FailingRequest(
                "PUT of an unknown length", "PUT", "/new", [("Transfer-Encoding", "chunked")], body: chunks,
                after: ["new": self.large], expecting: ["openat", "pwrite64", "fsync", "linkat"]),
            // Synced by fsync or by syncfs, as much else waits to be written or not.
            FailingRequest(
                "form of small files", "POST", "/", [("Content-Type", many.contentType)], body: many.body, after: manyAfter,
                expecting: ["openat", "pwrite64", "linkat"]),
            FailingRequest(
                "form with a large file", "POST", "/", [("Content-Type", mixed.contentType)], body: mixed.body, after: mixedAfter,
                expecting: ["openat", "fallocate", "pwrite64", "ftruncate", "fsync", "linkat"]),
            self.replacing, self.deleting,
        ]
    }

    private static var replacing: FailingRequest {
        var request = FailingRequest(
            "PUT that replaces", "PUT", "/old", body: self.small[0].bytes, after: ["old": self.small[0]],
            before: ["old": self.old],
            expecting: ["openat", "pwrite64", "fsync", "linkat", "renameat"])
        request.options = ["--on-duplicate-files", "overwrite"]
        request.changesAtOnce = true
        return request
    }

    private static var deleting: FailingRequest {
        var request = FailingRequest(
            "DELETE", "DELETE", "/old", body: nil, after: [:], before: ["old": self.old], expecting: ["unlinkat", "fsync"])
        request.changesAtOnce = true
        return request
    }

    /// A form with these contents, and what is there when it has been stored.
    private static func form(_ contents: [Content]) -> (Form, [String: Content]) {
        var form = Form()
        var after: [String: Content] = [:]
        for content in contents {
            form.file(Array("f\(content.number)".utf8), content.bytes)
            after["f\(content.number)"] = content
        }
        return (form, after)
    }

    /// Makes the folder what it is before the request.
    func prepare(_ folder: TemporaryFolder) throws {
        for name in self.after.keys where self.before[name] == nil { folder.remove(name) }
        try folder.write("bystander", Self.bystander.bytes)
        for (name, content) in self.before { try folder.write(name, content.bytes) }
    }

    func send(to server: ServerProcess) throws -> HTTPReply {
        let client = try server.connect()
        client.sendIgnoringRefusal(self.bytes)
        return try client.readReply(to: self.method)
    }

    /// Whether the folder is what it is after the request, and nothing else is in it.
    func isDone(in folder: TemporaryFolder) -> Bool {
        var expected = self.after.mapValues(\.bytes)
        expected["bystander"] = Self.bystander.bytes
        return FolderContents.all(in: folder.path) == expected
    }
}
