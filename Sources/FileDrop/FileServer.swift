public import UVServer

/// A whole file drop, to run as a command or inside another program: one folder, served until ``stop()``.
///
/// It runs on the event loop's own thread; `await` its methods from anywhere.
@EventLoop public final class FileServer {
    /// With absolute paths.
    public nonisolated let configuration: Configuration
    /// Where it listens, with real ports; empty before ``start()``, after one that failed, and after ``stop()``.
    public private(set) var addresses: [SocketAddress] = []
    /// The heading of the pages.
    public private(set) var title = ""

    /// What has been asked of it last.
    private enum State {
        case idle, starting, running, stopping
    }

    private var state = State.idle
    private var server: HTTPServer?
    private var router: Router?
    private var place: FolderPlace?
    /// Forms share them, also those that began before the folder was opened anew.
    private lazy var slots = UploadSlots(self.shares.formFiles)
    private let log: LogWriter

    /// - Parameter log: where request lines and failures go; standard error unless told otherwise.
    public init(_ configuration: Configuration, log: LogWriter = LogWriter(descriptor: 2)) {
        self.configuration = configuration.anchored(in: OwnProcess.workingDirectory)
        self.log = log
    }

    /// The port that was bound; the configured one while there is none.
    public var port: UInt16 { self.addresses.first?.port ?? self.configuration.port }

    /// Opens the folder and listens; returns once clients can connect.
    ///
    /// - Parameter sockets: takes clients from these, which it takes over, instead of where the configuration says.
    /// - Throws: `FileServerError`; nothing listens then.
    public func start(on sockets: [ListeningSocket] = []) async throws(FileServerError) {
        precondition(self.state == .idle, "a file server that runs is not started again")
        self.state = .starting
        do throws(FileServerError) { try await self.open(sockets) } catch {
            for socket in sockets { socket.close() }
            self.addresses = []
            self.state = .idle
            throw error
        }
        // Who stops a server that is starting waits for neither.
        guard self.state == .starting else { return await self.close() }
        self.state = .running
    }

    private func open(_ given: [ListeningSocket]) async throws(FileServerError) {
        let configuration = self.configuration
        let store: DropStore
        do throws(StoreStartError) { store = try await Self.openStore(configuration) } catch { throw .store(error) }
        var answered: (@EventLoop (RequestRecord) -> Void)?
        if !configuration.quiet { answered = { self.didAnswer($0) } }
        let sockets = given.isEmpty ? try ListeningPlaces.bind(configuration).flatMap { $0 } : given
        self.addresses = ListeningPlaces.addresses(of: sockets)
        let server = HTTPServer(
            limits: self.shares.limits(configuration), handler: { await self.respond($0) },
            refusal: { Reply.error(.refused($0), as: .text) }, answered: answered
        )
        for socket in sockets {
            let address = socket.address
            do throws(UVError) { try server.listen(on: socket) } catch {
                await server.stop(grace: .zero)
                throw .cannotListen(address: address.addressText, port: address.port, cause: error)
            }
        }
        self.server = server
        self.title = configuration.title(port: self.port)
        // No request can have come yet: the loop has not run since it listens.
        self.router = self.makeRouter(store)
        let log = self.log
        self.place = FolderPlace(store) { () async throws(StoreStartError) in
            try await Self.openStore(configuration)
        } say: {
            log.write("uvdrop: \(TerminalText.safe($0))")
        }
    }

    private static func openStore(_ configuration: Configuration) async throws(StoreStartError) -> DropStore {
        try await DropStore(
            folder: configuration.folder, stateFolder: configuration.stateFolder, readOnly: configuration.readOnly,
            showsHidden: configuration.showsHidden, durability: configuration.durability, keptFree: configuration.minFree)
    }

    /// Stops listening, closes idle connections and finishes the running requests; cuts off those that take longer than the
    /// configuration allows.
    /// Returns at once when it is still starting, and it stops when it has started; and when it stops already.
    /// - Parameter waiting: called with the number of running requests if there are any.
    public func stop(waiting: @EventLoop (Int) -> Void = { _ in }) async {
        switch self.state {
        case .idle, .stopping: return
        // `start` sees it and closes.
        case .starting: self.state = .stopping
        case .running:
            self.state = .stopping
            await self.close(waiting: waiting)
        }
    }

    private func close(waiting: @EventLoop (Int) -> Void = { _ in }) async {
        await self.server?.stop(grace: self.configuration.shutdownTimeout, waiting: waiting)
        self.addresses = []
        self.server = nil
        self.router = nil
        self.place = nil
        await self.log.finish(within: .seconds(1))
        self.state = .idle
    }

    /// Ends the transfers that ``stop()`` waits for.
    public func abort() { self.server?.abort() }

    private func respond(_ request: Request) async -> Response {
        guard let place = self.place else { return Response(.serviceUnavailable) }
        if await place.look(), self.place === place { self.router = self.makeRouter(place.store) }
        guard let router = self.router else { return Response(.serviceUnavailable) }
        return await router.respond(to: request, folderIsAway: place.isAway)
    }

    private func makeRouter(_ store: DropStore) -> Router {
        let hosts = HostRule(
            machineName: Machine.name, searchDomains: Machine.searchDomains, allowed: self.configuration.allowedHosts)
        return Router(
            context: RouteContext(
                store: store, lists: FolderLists(store, room: self.shares.listRoom),
                archives: Archives(store, limit: self.shares.archives, room: self.shares.archiveRoom), slots: self.slots,
                fileFields: FileFields(), configuration: self.configuration, title: self.title),
            policy: AccessPolicy(readOnly: self.configuration.readOnly, hosts: hosts), failed: { self.didFail($0) }
        )
    }

    private func didFail(_ cause: UVError) {
        self.log.write(RequestLog(format: self.configuration.logFormat).line(cause, at: LoopClock.wallSeconds))
    }

    private func didAnswer(_ record: RequestRecord) {
        self.log.write(RequestLog(format: self.configuration.logFormat).line(record, at: LoopClock.wallSeconds))
    }

    /// What this process may take of what all workers share.
    private var shares: WorkerShares {
        WorkerShares(workers: self.configuration.workers, descriptors: OwnProcess.descriptorLimit)
    }
}
