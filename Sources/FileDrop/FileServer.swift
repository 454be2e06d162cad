public import UVServer

/// A whole file drop, to run as a command or inside another program: one folder, served until ``stop()``.
///
/// It runs on the event loop's own thread; `await` its methods from anywhere.
@EventLoop public final class FileServer {
    public nonisolated let configuration: Configuration
    /// Where it listens, with real ports; empty before ``start()``.
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
    private let log: LogWriter

    /// - Parameter log: where request lines and failures go; standard error unless told otherwise.
    public init(_ configuration: Configuration, log: LogWriter = LogWriter(descriptor: 2)) {
        self.configuration = configuration
        self.log = log
    }

    /// The port that was bound; the configured one before ``start()``.
    public var port: UInt16 { self.addresses.first?.port ?? self.configuration.port }

    /// Opens the folder and listens; returns once clients can connect.
    ///
    /// - Throws: `FileServerError`; nothing listens then.
    public func start() async throws(FileServerError) {
        precondition(self.state == .idle, "a file server that runs is not started again")
        self.state = .starting
        do throws(FileServerError) { try await self.open() } catch {
            self.state = .idle
            throw error
        }
        // Who stops a server that is starting waits for neither.
        guard self.state == .starting else { return await self.close() }
        self.state = .running
    }

    private func open() async throws(FileServerError) {
        let configuration = self.configuration
        let store: DropStore
        do throws(StoreStartError) {
            store = try await DropStore(
                folder: configuration.folder, stateFolder: configuration.stateFolder, readOnly: configuration.readOnly,
                showsHidden: configuration.showsHidden, durability: configuration.durability
            )
        } catch {
            throw .store(error)
        }
        var answered: (@EventLoop (RequestRecord) -> Void)?
        if !configuration.quiet { answered = { self.didAnswer($0) } }
        var attempts = configuration.port == 0 ? 10 : 1
        while true {
            attempts -= 1
            let server = HTTPServer(
                limits: Self.limits(configuration), handler: { await self.respond($0) },
                refusal: { Reply.error(.malformedRequest($0), as: .text) }, answered: answered
            )
            do throws(FileServerError) {
                self.addresses = try self.listen(server)
                self.server = server
                break
            } catch {
                await server.stop()
                // The port that the kernel chose for one family can be taken in the other.
                if attempts > 0, case .cannotListen(_, _, let cause) = error, cause.isAddressInUse { continue }
                throw error
            }
        }
        self.title = configuration.title ?? "\(Machine.name):\(self.port)"
        // No request can have come yet: the loop has not run since it listens.
        self.router = self.makeRouter(store)
    }

    /// Finishes the running requests, for half a minute at most, closes idle connections and stops listening.
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
        await self.server?.stop(waiting: waiting)
        self.server = nil
        self.router = nil
        await self.log.finish(within: .seconds(1))
        self.state = .idle
    }

    /// Ends the transfers that ``stop()`` waits for.
    public func abort() { self.server?.abort() }

    private func respond(_ request: Request) async -> Response {
        guard let router = self.router else { return Response(.serviceUnavailable) }
        return await router.respond(to: request)
    }

    private func makeRouter(_ store: DropStore) -> Router {
        let hosts = HostRule(
            machineName: Machine.name, searchDomains: Machine.searchDomains, allowed: self.configuration.allowedHosts)
        return Router(
            context: RouteContext(
                store: store, lists: FolderLists(store), slots: UploadSlots(Self.formFiles), fileFields: FileFields(),
                configuration: self.configuration, title: self.title),
            policy: AccessPolicy(readOnly: self.configuration.readOnly, hosts: hosts), failed: { self.didFail($0) }
        )
    }

    private func didFail(_ cause: UVError) {
        self.log.write(RequestLog(format: self.configuration.logFormat).line(cause, at: LoopClock.wallSeconds))
    }

    private func didAnswer(_ record: RequestRecord) {
        self.log.write(RequestLog(format: self.configuration.logFormat).line(record, at: LoopClock.wallSeconds))
    }

    /// Binds every address; the first one's port serves the others when it was left to the kernel.
    private func listen(_ server: HTTPServer) throws(FileServerError) -> [SocketAddress] {
        let binds = self.configuration.binds
        let hosts = binds.isEmpty ? ["0.0.0.0", "::"] : binds
        var port = self.configuration.port
        var bound: [SocketAddress] = []
        for host in hosts {
            guard let address = SocketAddress(host: host, port: port) else { throw .badAddress(host) }
            do throws(UVError) {
                bound.append(try server.listen(at: address))
            } catch {
                // Without being asked for it, a machine without IPv6 is no error.
                if binds.isEmpty, address.isIPv6, error.isAddressMissing { continue }
                throw .cannotListen(address: host, port: port, cause: error)
            }
            if port == 0, let chosen = bound.first?.port { port = chosen }
        }
        return bound
    }

    /// How many files forms may hold open together, beside one each.
    private static var formFiles: Int { min(OwnProcess.descriptorLimit / 4, 16_384) }

    private static func limits(_ configuration: Configuration) -> RequestLimits {
        var limits = RequestLimits()
        // A transfer holds a socket, and two of: its duplicate, a file, a folder. Some are for listeners, the log and the loop itself.
        let descriptors = OwnProcess.descriptorLimit
        let others = min(32, descriptors / 4)
        limits.connections = min(max(4, (descriptors - others - self.formFiles) / 3), 32_768)
        limits.rememberedFiles = min(others / 2, 64)
        limits.lingerBytes = min(configuration.maxSize ?? .max, 1 << 40) + (16 << 20)
        return limits
    }
}
