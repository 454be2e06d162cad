import TestSupport
import Testing

@testable import FileDrop
@testable import UVServer

@Suite("Archives that are made", .timeLimit(.minutes(1))) struct ArchivesTests {
    private let place: TemporaryFolder

    init() throws {
        self.place = try TemporaryFolder()
        for number in 0..<50 { try self.place.write("a file \(number)", "x") }
    }

    @EventLoop private static func start(_ store: DropStore, limit: Int = 4, room: FolderLists.Room) throws -> (
        HTTPServer, UInt16
    ) {
        let router = Router(
            context: RouteContext(
                store: store, lists: FolderLists(store), archives: Archives(store, limit: limit, room: room),
                slots: UploadSlots(8), fileFields: FileFields(), configuration: Configuration(folder: ""), title: ""),
            policy: AccessPolicy(readOnly: false, hosts: HostRule(machineName: "", searchDomains: [], allowed: [])),
            failed: { Issue.record("\($0)") })
        let server = HTTPServer(
            limits: RequestLimits(), handler: { await router.respond(to: $0) }, refusal: { Response($0.status) }, answered: nil)
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { preconditionFailure("a literal") }
        return (server, try server.listen(at: address).port)
    }

    private static func status(_ port: UInt16, _ target: String) throws -> Int {
        let client = try RawClient(port: port)
        defer { client.close() }
        try client.send(HTTPRequest.bytes("GET", target))
        return try client.readReply().status
    }

    @Test("are busy where their lists have no room, and all others are served") func room() async throws {
        let store = try await DropStore(folder: self.place.path)
        let (server, port) = try await Self.start(store, room: .init(disk: 1000, memory: 1000))
        for target in ["/?zip", "/?tar"] { #expect(try Self.status(port, target) == 503) }
        #expect(try Self.status(port, "/?zip&name=a+file+1") == 200)
        #expect(try Self.status(port, "/?json") == 200)
        await server.stop()
    }

    @Test("give their room back, and their place, with their last byte") func again() async throws {
        let store = try await DropStore(folder: self.place.path)
        let (server, port) = try await Self.start(store, limit: 1, room: .init(disk: 0, memory: 5000))
        for _ in 0..<3 { #expect(try eventually { try Self.status(port, "/?zip") == 200 }) }
        await server.stop()
    }

    @Test("are given up while what belongs into them is looked for, when they are told to") @EventLoop
    func stop() async throws {
        let store = try await DropStore(folder: self.place.path)
        let selection = try await store.select([], in: .root)
        await #expect(throws: StoreError.self) {
            _ = try await store.archive(selection, TarWriter(), room: SpoolRoom(), isStopped: { true }).length
        }
        let whole = try await store.archive(selection, TarWriter(), room: SpoolRoom(), isStopped: { false })
        // Each has a header with its exact time, one of its own, and a block.
        #expect(whole.length == 50 * 2048 + 1024)
    }
}
