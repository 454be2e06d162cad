internal import FileDrop
internal import Glibc
internal import UVServer

/// One of several processes that serve the same folder, as it sees itself. Its supervisor has started it with the sockets that it takes
/// clients from, and with one descriptor more on which it reports.
struct Worker {
    /// Says which process supervises this one. `LISTEN_PID` cannot say that the sockets are meant for this process, since its number is
    /// not known before it runs.
    static let variable = "UVDROP_SUPERVISOR"

    /// Holds the working directory that relative paths were meant in. A worker's own may have been renamed by the time it starts.
    static let directoryVariable = "UVDROP_DIRECTORY"

    /// Says that the sockets were passed to the supervisor, too: who passed them goes on with their queues.
    static let passedVariable = "UVDROP_PASSED_SOCKETS"

    /// The supervisor's process.
    let supervisor: Int32
    let directory: String?
    private let isPassedOn: Bool

    /// `nil` in a process that no supervisor has started.
    init?(_ environment: [String: String]) {
        guard let supervisor = environment[Self.variable].flatMap({ Int32($0) }) else { return nil }
        self.supervisor = supervisor
        self.directory = environment[Self.directoryVariable]
        self.isPassedOn = environment[Self.passedVariable] != nil
    }

    /// Makes this process end with its supervisor, as gently as at SIGTERM. For the start of the program, on its main thread.
    /// - Returns: `false` when that is not the process that has started this one: it has gone, or the variable is there by chance.
    func bind() -> Bool {
        OwnProcess.setName("uvdrop")
        return OwnProcess.signal(SIGTERM, whenEnds: self.supervisor)
    }

    /// What to say when ``bind()`` has failed.
    var refusal: String {
        """
        uvdrop: the variable \(Self.variable) is for workers that uvdrop starts itself, and process \(self.supervisor) has not started \
        this one; unset it
        """
    }

    /// Serves until the supervisor asks it to end: by SIGTERM gently, by SIGINT at once. A service manager that sends SIGTERM to all
    /// processes of the service does it besides; so a second SIGTERM means nothing.
    @EventLoop func run(_ configuration: Configuration) async -> Never {
        let count = InheritedSockets.count(knowsProcess: false)
        let reports = LogWriter(descriptor: InheritedSockets.firstDescriptor + CInt(count))
        let server = FileServer(configuration, log: LogWriter(descriptor: 2))
        do throws(FileServerError) {
            let sockets = try ListeningPlaces.inherited(knowsProcess: false)
            for socket in sockets { socket.queueSurvives = self.isPassedOn }
            try await server.start(on: sockets)
        } catch {
            reports.writeNow([WorkerReport.failed(TerminalText.safe(error.description)).line])
            OwnProcess.end(ExitCode.failure)
        }
        await StopSignals.untilReceived([SIGTERM, SIGINT]) {
            reports.writeNow([WorkerReport.ready.line])
        } again: { signal in
            if signal == SIGINT { server.abort() }
        }
        await server.stop { reports.writeNow([WorkerReport.finishing($0).line]) }
        OwnProcess.end(ExitCode.success)
    }
}
