import Glibc
import UVServer

/// The command `uvload`.
@main
enum Main {
    static func main() {
        OwnProcess.fillStandardDescriptors()
        OwnProcess.raiseDescriptorLimit()
        EventLoop.spawn {
            let outcome = await LoadCommand.run(Array(CommandLine.arguments.dropFirst())) { run in
                // The first signal ends the run, and what was measured until then is printed.
                for signal in [SIGINT, SIGTERM] { _ = try? SignalWatcher(signal) { run.end() } }
            }
            if !outcome.output.isEmpty { LogWriter(descriptor: outcome.isError ? 2 : 1).writeNow([outcome.output]) }
            OwnProcess.end(outcome.status)
        }
        OwnProcess.park()
    }
}
