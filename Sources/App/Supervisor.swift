internal import FileDrop
internal import Glibc
internal import UVServer

/// Keeps several workers serving one folder: binds the sockets, starts the workers, and puts another in the place of one that dies.
/// It serves nobody itself.
///
/// It holds all sockets for as long as it lives, so that clients who wait in the queue of a worker that dies are answered by its
/// successor.
@EventLoop final class Supervisor {
    private let configuration: Configuration
    private let directory: String?
    private let log = LogWriter(descriptor: 2)
    /// What each worker takes clients from.
    private var sockets: [[ListeningSocket]] = []
    private var bound: [SocketAddress] = []
    /// They were passed to this process, and are not its own.
    private var arePassed = false
    private var workers: [SupervisedWorker] = []
    private var isStarted = false
    private var isStopping = false
    private var hasSaidWaiting = false
    /// Waits for the last worker to end.
    private var done: CheckedContinuation<Void, Never>?
    /// Runs after the second signal.
    private var patience: LoopTimer?
    /// Runs after the first one.
    private var limit: LoopTimer?

    /// - Parameter directory: the working directory at the start of the program, if that could be told.
    init(_ configuration: Configuration, directory: String?) {
        self.configuration = configuration
        self.directory = directory
    }

    /// The process ends with its last worker, once it has been asked to.
    func run() async -> Never {
        let bound: [SocketAddress]
        do throws(FileServerError) { bound = try self.listen() } catch {
            LastWord.say("uvdrop: \(TerminalText.safe(error.description))", to: 2, ExitCode.failure)
        }
        self.bound = bound
        await StopSignals.untilReceived([SIGTERM, SIGINT]) {
            for index in self.sockets.indices { self.workers.append(SupervisedWorker(number: index + 1)) }
            for worker in self.workers { self.start(worker) }
        } again: { _ in
            self.abort()
        }
        self.stop()
        await withCheckedContinuation { done in
            self.done = done
            self.endIfDone()
        }
        await self.log.finish(within: .seconds(1))
        OwnProcess.end(ExitCode.success)
    }

    /// Sockets that were passed to this process are for all workers together; others are made for each.
    private func listen() throws(FileServerError) -> [SocketAddress] {
        let count = self.configuration.workers
        let inherited = try ListeningPlaces.inherited()
        guard inherited.isEmpty else {
            self.arePassed = true
            self.sockets = [[ListeningSocket]](repeating: inherited, count: count)
            return ListeningPlaces.addresses(of: inherited)
        }
        let groups = try ListeningPlaces.bind(self.configuration, count: count)
        self.sockets = (0..<count).map { index in groups.map { $0[index] } }
        return ListeningPlaces.addresses(of: groups.map { $0[0] })
    }

    // MARK: Workers

    private func start(_ worker: SupervisedWorker) {
        guard !self.isStopping else { return }
        let sockets = self.sockets[worker.number - 1]
        worker.startedAt = LoopClock.now
        worker.isReady = false
        do throws(UVError) {
            worker.process = try ChildProcess(
                self.program(sockets: sockets.count), descriptors: sockets.map(\.descriptor),
                reported: { self.didReport($0, worker) }, ended: { self.didEnd($0, worker) })
        } catch {
            self.didFail(worker, "worker \(worker.number) cannot be started (\(error))")
        }
    }

    /// This very program with the same arguments, also when its file has been replaced meanwhile.
    private func program(sockets: Int) -> ChildProcess.Program {
        var environment = OwnProcess.environment(prefix: "")
        for name in ["LISTEN_PID", "LISTEN_FDNAMES"] { environment[name] = nil }
        environment["LISTEN_FDS"] = String(sockets)
        environment[Worker.variable] = String(OwnProcess.processID)
        environment[Worker.directoryVariable] = self.directory
        environment[Worker.passedVariable] = self.arePassed ? "1" : nil
        // Swift's runtime would hold a worker that crashes for seconds to draw up a report, and its clients with it.
        if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }
        return ChildProcess.Program(path: "/proc/self/exe", arguments: CommandLine.arguments, environment: environment)
    }

    private func didReport(_ line: String, _ worker: SupervisedWorker) {
        switch WorkerReport(line) {
        case .ready:
            worker.isReady = true
            guard !self.isStarted, self.workers.allSatisfy(\.isReady) else { return }
            self.isStarted = true
            LogWriter(descriptor: 1).writeNow(StartupBanner(self.configuration, at: self.bound).lines)
        case .failed(let reason):
            worker.failure = reason
        case .finishing(let count):
            worker.unfinished = count
            self.sayWaiting()
        case nil:
            self.log.write("uvdrop: worker \(worker.number) reports what nobody understands")
        }
    }

    private func didEnd(_ end: ChildProcess.End, _ worker: SupervisedWorker) {
        worker.process = nil
        guard !self.isStopping else {
            self.sayWaiting()
            return self.endIfDone()
        }
        if let failure = worker.failure.take() { return self.didFail(worker, failure) }
        switch end {
        case .exited(let status): self.didFail(worker, "worker \(worker.number) has ended with status \(status)")
        case .killed(let signal): self.didFail(worker, "worker \(worker.number) was ended by signal \(signal)")
        }
    }

    /// At the start this is the end of all; later the worker gets a successor.
    private func didFail(_ worker: SupervisedWorker, _ reason: String) {
        guard self.isStarted else {
            for other in self.workers { other.process?.signal(SIGKILL) }
            LastWord.say("uvdrop: \(reason)", to: 2, ExitCode.failure)
        }
        let delay = worker.delay.next(afterLiving: LoopClock.now - worker.startedAt)
        let place = delay == .zero ? "another takes its place" : "another takes its place in \(delay)"
        self.log.write("uvdrop: \(reason); \(place)")
        guard delay > .zero else { return self.start(worker) }
        worker.pause = LoopTimer(every: delay) {
            worker.pause?.stop()
            worker.pause = nil
            self.start(worker)
        }
    }

    // MARK: Stopping

    private func stop() {
        self.isStopping = true
        // The workers hold their own copies until they have been told.
        for group in self.sockets { for socket in group { socket.close() } }
        for worker in self.workers {
            worker.pause?.stop()
            worker.process?.signal(SIGTERM)
        }
        // Each ends in time by itself, unless it is stuck.
        self.limit = LoopTimer(every: self.configuration.shutdownTimeout + .seconds(3)) { self.abort() }
        // They may have been asked by somebody else before, and have told already.
        self.sayWaiting()
    }

    /// Ends what the workers still wait for, and those that do not end then.
    private func abort() {
        self.limit?.stop()
        for worker in self.workers { worker.process?.signal(SIGINT) }
        guard self.patience == nil else { return }
        self.patience = LoopTimer(every: .seconds(5)) {
            for worker in self.workers { worker.process?.signal(SIGKILL) }
        }
    }

    /// Once, when every worker has ended or has told how many requests it has to finish.
    private func sayWaiting() {
        guard self.isStopping, !self.hasSaidWaiting else { return }
        let waiting = self.workers.filter { $0.process != nil }
        guard !waiting.isEmpty, waiting.allSatisfy({ $0.unfinished != nil }) else { return }
        self.hasSaidWaiting = true
        let count = waiting.reduce(0) { $0 + ($1.unfinished ?? 0) }
        self.log.write(StopSignals.waiting(for: count, within: self.configuration.shutdownTimeout))
    }

    private func endIfDone() {
        guard self.workers.allSatisfy({ $0.process == nil }) else { return }
        self.done.take()?.resume()
    }
}
