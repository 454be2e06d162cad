import Glibc
import TestSupport
import Testing

/// Files that change while a client reads them slowly: what is on its way is of the file that was opened, and ends early rather than being
/// filled up with something else.
@Suite("files that change while they are sent")
struct ChangingFileTests {
    private static let size = 12 << 20
    private static let content = noise(size)

    /// What is asked for, and which bytes of the file that is.
    private static let requests: [(String, fields: [(String, String)], bytes: Range<Int>)] = [
        ("all of it", [], 0..<size),
        ("most of it", [("Range", "bytes=1000-")], 1000..<size),
    ]

    /// A client that has asked, and read the head and a little more, and nothing else since.
    private func start(_ server: ServerProcess, _ fields: [(String, String)]) throws -> RawClient {
        let client = try server.connect(receiveBuffer: 4096)
        try client.send(HTTPRequest.bytes("GET", "/sub/f", fields))
        #expect(try client.readReplyHead().status == (fields.isEmpty ? 200 : 206))
        return client
    }

    @Test(
        "the one that was opened is sent to its end, whatever has its name now",
        arguments: [
            "replaced", "deleted", "link inside", "link outside", "folder renamed", "folder deleted", "appended",
        ], [0, 1])
    func opened(_ change: String, _ index: Int) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("drop")
        try folder.makeFolder("drop/sub")
        try folder.write("drop/sub/f", Self.content)
        try folder.write("drop/other", [UInt8](repeating: 2, count: Self.size))
        try folder.write("secret", [UInt8](repeating: 3, count: Self.size))
        let server = try ServerProcess(folder.path(of: "drop"))
        let (_, fields, range) = Self.requests[index]
        let client = try self.start(server, fields)
        let first = try client.read(100_000)
        var status = 404
        switch change {
        case "replaced":
            try DownloadChange.rename(folder, "drop/other", "drop/sub/f")
            status = 200
        case "deleted": folder.remove("drop/sub/f")
        case "link inside":
            folder.remove("drop/sub/f")
            try folder.makeLink("drop/sub/f", to: "../other")
            status = 200
        case "link outside":
            folder.remove("drop/sub/f")
            try folder.makeLink("drop/sub/f", to: "../../secret")
        case "folder renamed": try DownloadChange.rename(folder, "drop/sub", "drop/gone")
        case "folder deleted": folder.remove("drop/sub")
        default:
            try DownloadChange.write(folder.path(of: "drop/sub/f"), [1, 2, 3], flags: O_APPEND)
            status = 200
        }
        #expect(try isSame(first + client.read(range.count - 100_000), Array(Self.content[range])))
        #expect(try client.receivesNothing())
        #expect(try server.ask("HEAD", "/sub/f").status == status)
        #expect(try server.isServing())
    }

    @Test("one that is cut ends the connection where it ends, and the log says so", arguments: [0, 1])
    func cut(_ index: Int) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("sub")
        try folder.write("sub/f", Self.content)
        let server = try ServerProcess(folder.path)
        let (_, fields, range) = Self.requests[index]
        let client = try self.start(server, fields)
        // Far behind what can be on its way already.
        let end = 10 << 20
        guard unsafe truncate(folder.path(of: "sub/f"), off_t(end)) == 0 else { throw TestFailure("truncate: errno \(errno)") }
        #expect(try isSame(client.readToEnd(), Array(Self.content[range.lowerBound..<end])))
        #expect(eventually { server.child.errorText.contains("aborted") })
        #expect(try server.get("/sub/f")["content-length"] == String(end))
        #expect(try server.isServing())
    }

    @Test("one that is cut before its other ranges begin is not filled up")
    func cutRanges() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("sub")
        try folder.write("sub/f", Self.content)
        let server = try ServerProcess(folder.path)
        let client = try self.start(server, [("Range", "bytes=0-7999999,11000000-11999999")])
        guard unsafe truncate(folder.path(of: "sub/f"), 10 << 20) == 0 else { throw TestFailure("truncate: errno \(errno)") }
        let received = try client.readToEnd()
        // The first part with its head, the head of the second, and nothing of it.
        #expect(received.count > 8_000_000 && received.count < 8_000_400, "\(received.count)")
        #expect(try server.isServing())
    }
}
