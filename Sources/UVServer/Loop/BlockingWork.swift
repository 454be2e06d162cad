internal import CUV
internal import Glibc

/// Runs blocking calls on libuv's thread pool, in lanes: each kind of work has its own cap of threads, so that four slow
/// fsyncs never keep a file from being opened. What takes a processor for long runs on threads of its own that give way to the loop.
///
/// A call that hangs, on a file system whose server is gone, keeps its thread for ever. While others wait behind it, it is no longer
/// counted, and they get threads of their own.
@EventLoop public enum BlockingWork {
    private static var lanes = Lane.allCases.map { LaneQueue<Job>(threads: $0.threads, spareThreads: $0.spareThreads) }
    /// Runs while a call waits.
    private static var watch: LoopTimer?

    /// Whether no thread is held.
    static var isIdle: Bool { self.lanes.allSatisfy(\.isIdle) }

    /// Runs `work` on a pool thread and returns what it returns, back on the loop.
    public static func run<Value: ~Copyable & Sendable, Failure: Error>(
        _ lane: Lane, _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outcome = Outcome<Value, Failure>()
        await withCheckedContinuation { continuation in
            let job = Job(lane: lane, continuation: continuation) { outcome.fill(work) }
            if self.lanes[lane.rawValue].begin(job) { self.start(job) } else { self.startWatch() }
        }
        return try outcome.take()
    }

    private static func start(_ job: Job) {
        // Where calls hang, threads of the pool do, and the others there belong to other lanes.
        let isOnItsOwn = job.lane.isBackground || self.lanes[job.lane.rawValue].isAnyHanging
        if isOnItsOwn, self.startThread(job) { return }
        let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
        unsafe request.pointee.data = Unmanaged.passRetained(job).toOpaque()
        let code = unsafe uv_queue_work(
            EventLoop.shared.executor.loop, request, performJob,
            { request, _ in
                let job = unsafe Unmanaged<Job>.fromOpaque(request!.pointee.data).takeRetainedValue()
                unsafe request!.deallocate()
                EventLoop.assumeIsolated { BlockingWork.didFinish(job) }
            })
        precondition(code == 0, "uv_queue_work fails only without a work callback")
    }

    private static func startWatch() {
        guard self.watch == nil else { return }
        self.watch = LoopTimer(every: .milliseconds(250)) { self.lookForHanging() }
    }

    private static func lookForHanging() {
        for lane in Lane.allCases {
            for job in self.lanes[lane.rawValue].look() { self.start(job) }
        }
        guard !self.lanes.contains(where: \.isAnyWaiting) else { return }
        self.watch?.stop()
        self.watch = nil
    }

    /// Runs the job on a thread of its own. Of background work, because a priority that was lowered is not raised again without
    /// privileges, so none of the pool's can be taken.
    /// - Returns: `false` when the process may have no more threads.
    private static func startThread(_ job: Job) -> Bool {
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(job)
        guard unsafe pthread_create(&thread, nil, performJobAlone, argument.toOpaque()) == 0 else {
            unsafe argument.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    fileprivate static func didFinish(_ job: Job) {
        if let next = self.lanes[job.lane.rawValue].end(job) { self.start(next) }
        job.continuation.resume()
    }

    /// One call on its way through the pool.
    // Safe: the work is touched by the thread that runs it, which gets the job and hands it back through a queue with a lock.
    fileprivate final class Job: @unchecked Sendable {
        let lane: Lane
        let continuation: CheckedContinuation<Void, Never>
        private var work: (@Sendable () -> Void)?

        init(lane: Lane, continuation: CheckedContinuation<Void, Never>, work: @escaping @Sendable () -> Void) {
            self.lane = lane
            self.continuation = continuation
            self.work = work
        }

        /// Runs the work and lets go of what it holds: whoever is told that it is done may rely on that. A file that stays open for
        /// writing keeps its file system from being remounted read-only.
        func perform() {
            self.work?()
            self.work = nil
        }
    }

    /// Where the pool thread leaves its result.
    // Safe: written by the other thread before it hands the job back, through a queue with a lock, and read after that.
    private final class Outcome<Value: ~Copyable & Sendable, Failure: Error>: @unchecked Sendable {
        private var result: Result<Value, Failure>?

        func fill(_ work: () throws(Failure) -> Value) {
            do throws(Failure) { self.result = .success(try work()) } catch { self.result = .failure(error) }
        }

        func take() throws(Failure) -> Value {
            guard let result = self.result.take() else { preconditionFailure("work finished without a result") }
            return try result.get()
        }
    }
}

/// Runs a job on a pool thread. A free function, because a closure written inside the actor would check for the loop's thread.
private func performJob(_ request: UnsafeMutablePointer<uv_work_t>?) {
    unsafe Unmanaged<BlockingWork.Job>.fromOpaque(request!.pointee.data).takeUnretainedValue().perform()
}

/// How much lower the priority of background work is than the loop's: it then gets a tenth of a processor that the loop could use whole.
private let backgroundNiceness: CInt = 10

private func performJobAlone(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let job = unsafe Unmanaged<BlockingWork.Job>.fromOpaque(argument!).takeRetainedValue()
    // Of this thread alone. Where it fails, the work is done all the same.
    if job.lane.isBackground { _ = nice(backgroundNiceness) }
    job.perform()
    EventLoop.spawn { BlockingWork.didFinish(job) }
    return nil
}
