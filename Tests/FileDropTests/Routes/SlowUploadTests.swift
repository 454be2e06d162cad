import TestSupport
import Testing

@testable import FileDrop
@testable import UVServer

/// The real routes under deadlines of a fraction of a second.
@Suite("An upload that stops, or is too slow", .timeLimit(.minutes(1))) struct SlowUploadTests {
    /// Of a file that is announced, and never comes.
    private static let announced = 64 << 20

    private static var form: Form { .one("f", [UInt8](repeating: 1, count: 100)) }

    private static let requests = [
        HTTPRequest.bytes("PUT", "/f", [("Content-Length", String(Self.announced))]),
        HTTPRequest.bytes("PUT", "/f", [("Transfer-Encoding", "chunked")]) + Array("100000\r\n".utf8),
        HTTPRequest.bytes(
            "POST", "/", [("Content-Type", Self.form.contentType), ("Content-Length", String(Self.announced))])
            + Self.form.body.prefix(200),
    ]

    @EventLoop private static func start(_ store: DropStore, limits: RequestLimits) throws -> (HTTPServer, UInt16) {
        let configuration = Configuration(folder: "", maxSize: nil)
        let router = Router(
            context: RouteContext(
                store: store, lists: FolderLists(store), archives: Archives(store), slots: UploadSlots(8),
                fileFields: FileFields(),
                configuration: configuration, title: ""),
            policy: AccessPolicy(readOnly: false, hosts: HostRule(machineName: "", searchDomains: [], allowed: [])),
            failed: { Issue.record("\($0)") })
        let server = HTTPServer(
            limits: limits, handler: { await router.respond(to: $0) }, refusal: { Response($0.status) }, answered: nil)
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { preconditionFailure("a literal") }
        return (server, try server.listen(at: address).port)
    }

    @Test("gives back its file and what was reserved for it, and is answered 408", arguments: Self.requests, [false, true])
    func givesBack(_ request: [UInt8], drips: Bool) async throws {
        var limits = RequestLimits()
        limits.bodyGrace = .milliseconds(600)
        limits.bytesPerSecond = 1 << 40
        let folder = try TemporaryFolder()
        let store = try await DropStore(folder: folder.path, durability: .none)
        let (server, port) = try await Self.start(store, limits: limits)
        let before = folder.openDescriptors()
        let client = try RawClient(port: port)
        try client.send(request)
        // The chunked one has no file before its first bytes.
        try client.send([UInt8](repeating: 2, count: 300_000))
        #expect(eventually { folder.openDescriptors() > before })
        let isAnswered = try eventually {
            if drips { client.sendIgnoringRefusal([2]) }
            return try !client.receivesNothing()
        }
        #expect(isAnswered)
        let reply = try client.readReply()
        #expect(reply.status == 408 && reply.closes, "\(reply.status) \(reply.text)")
        #expect(eventually { folder.openDescriptors() <= before }, "\(folder.openDescriptors()) of \(before)")
        #expect(folder.visibleNames.isEmpty)
        client.close()
        await server.stop()
    }
}
