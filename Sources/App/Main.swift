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
        let environment = OwnProcess.environment(prefix: "UVDROP_")
        let worker = Worker(environment)
        let isBound = worker?.bind() ?? true
        EventLoop.spawn {
            if let worker, !isBound { LastWord.say(worker.refusal, to: 2, ExitCode.usage) }
            await self.run(environment, worker)
        }
        OwnProcess.park()
    }

    @EventLoop private static func run(_ environment: [String: String], _ worker: Worker?) async {
        let invocation: Invocation
        do throws(UsageError) {
            invocation = try Options.parse(
                arguments: Array(CommandLine.arguments.dropFirst()), environment: environment, processors: OwnProcess.processors)
        } catch {
            LastWord.say(error.message, to: 2, ExitCode.usage)
        }
        switch invocation {
        case .help: LastWord.say(HelpText.help, to: 1, ExitCode.success)
        case .version: LastWord.say(HelpText.version, to: 1, ExitCode.success)
        case .serve(let written):
            // Once, for workers that are started later too: what is relative is meant where the program was started.
            let directory = worker?.directory ?? OwnProcess.workingDirectory
            let configuration = written.anchored(in: directory)
            OwnProcess.raiseDescriptorLimit()
            OwnProcess.shareHeap()
            if let worker { await worker.run(configuration) }
            LogWriter(descriptor: 2).writeNow(Options.warnings(environment: environment))
            if configuration.workers > 1 { await Supervisor(configuration, directory: directory).run() }
            await self.serve(configuration)
        }
    }

    /// Serves in this very process.
    @EventLoop private static func serve(_ configuration: Configuration) async -> Never {
        let log = LogWriter(descriptor: 2)
        let server = FileServer(configuration, log: log)
        do throws(FileServerError) { try await server.start(on: try ListeningPlaces.inherited()) } catch {
            LastWord.say("uvdrop: \(TerminalText.safe(error.description))", to: 2, ExitCode.failure)
        }
        await StopSignals.untilReceived([SIGTERM, SIGINT]) {
            LogWriter(descriptor: 1).writeNow(StartupBanner(configuration, at: server.addresses).lines)
        } again: { _ in
            server.abort()
        }
        await server.stop { log.write(StopSignals.waiting(for: $0, within: configuration.shutdownTimeout)) }
        OwnProcess.end(ExitCode.success)
    }
}
