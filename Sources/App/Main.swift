internal import FileDrop
internal import Glibc
internal import UVServer

/// The command `uvdrop`: options in, a file server until SIGTERM or SIGINT.
@main
enum Main {
    /// Hands the work to the loop's thread; this one only waits. It must not end before the process does, as the main thread of an
    /// `async` main would: some tools, valgrind among them, do not survive that.
    static func main() {
        OwnProcess.fillStandardDescriptors()
        EventLoop.spawn { await self.run() }
        OwnProcess.park()
    }

    @EventLoop private static func run() async {
        let environment = OwnProcess.environment(prefix: "UVDROP_")
        let invocation: Invocation
        do throws(UsageError) {
            invocation = try Options.parse(arguments: Array(CommandLine.arguments.dropFirst()), environment: environment)
        } catch {
            self.finish(error.message, to: 2, ExitCode.usage)
        }
        switch invocation {
        case .help: self.finish(HelpText.help, to: 1, ExitCode.success)
        case .version: self.finish(HelpText.version, to: 1, ExitCode.success)
        case .serve(let configuration): await self.serve(configuration, warnings: Options.warnings(environment: environment))
        }
    }

    @EventLoop private static func serve(_ configuration: Configuration, warnings: [String]) async {
        let log = LogWriter(descriptor: 2)
        log.writeNow(warnings)
        OwnProcess.raiseDescriptorLimit()
        OwnProcess.shareHeap()
        let server = FileServer(configuration, log: log)
        do throws(FileServerError) { try await server.start() } catch {
            self.finish("uvdrop: \(TerminalText.safe(error.description))", to: 2, ExitCode.failure)
        }
        let output = LogWriter(descriptor: 1)
        let banner = StartupBanner(
            configuration: configuration, folder: OwnProcess.absolute(configuration.folder), title: server.title,
            port: server.port, addresses: self.reachable(server.addresses)
        )
        await self.untilSignalled(server) {
            output.writeNow(banner.lines)
        }
        await server.stop { count in
            let text = "uvdrop: finishing \(count) running requests, for 30 s at most; the same signal again stops at once"
            log.write(text)
        }
        OwnProcess.end(ExitCode.success)
    }

    /// Watches the signals first, then says that the server is ready, then waits.
    @EventLoop private static func untilSignalled(_ server: FileServer, ready: @EventLoop () -> Void) async {
        var watchers: [SignalWatcher] = []
        await withCheckedContinuation { continuation in
            let stop = StopRequest(continuation, server)
            for signal in [SIGTERM, SIGINT] {
                // Both signals can be watched; only SIGKILL and SIGSTOP cannot.
                if let watcher = try? SignalWatcher(signal, received: { stop.signalled() }) { watchers.append(watcher) }
            }
            ready()
        }
    }

    /// The first signal stops gently, the second at once.
    @EventLoop private final class StopRequest {
        private var continuation: CheckedContinuation<Void, Never>?
        private let server: FileServer

        init(_ continuation: CheckedContinuation<Void, Never>, _ server: FileServer) {
            self.continuation = continuation
            self.server = server
        }

        func signalled() {
            if let continuation = self.continuation.take() { continuation.resume() } else { self.server.abort() }
        }
    }

    private static func reachable(_ bound: [SocketAddress]) -> [ReachableAddress] {
        bound.flatMap { address -> [ReachableAddress] in
            guard address.host == "0.0.0.0" || address.host == "::" else {
                let isLoopback = address.host == "::1" || address.host.hasPrefix("127.")
                return [ReachableAddress(text: address.host, isIPv6: address.isIPv6, isLoopback: isLoopback)]
            }
            return NetworkInterface.all().filter { $0.isIPv6 == address.isIPv6 && $0.isReachable }.map {
                ReachableAddress(text: $0.host, isIPv6: $0.isIPv6, isLoopback: $0.isLoopback)
            }
        }
    }

    @EventLoop private static func finish(_ text: String, to descriptor: CInt, _ code: Int32) -> Never {
        LogWriter(descriptor: descriptor).writeNow([text.hasSuffix("\n") ? String(text.dropLast()) : text])
        OwnProcess.end(code)
    }
}
