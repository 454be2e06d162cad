internal import CUV
internal import Glibc

/// Runs blocking calls on libuv's thread pool, in lanes: each kind of work has its own cap of threads, so that four slow
/// fsyncs never keep a file from being opened. What takes a processor for long runs on threads of its own that give way to the loop.
@EventLoop public enum BlockingWork {
    public enum Lane: Int, CaseIterable, Sendable {
        /// Opening and stat, and what takes no longer.
        case open
        /// Giving and taking names: linking, renaming, deleting.
        case link
        /// fsync of files and folders.
        case sync
        /// Storing small uploads, many at a time: writing, syncing and naming.
        case commit
        /// Reading whole folders and writing out their lists, which takes a processor for long.
        case list
        /// Writing received bytes.
        case write
        /// Reading what is not in the page cache.
        case read
        /// Waiting for other processes to give up their leases.
        case lease
        /// Waiting for other processes to be done with a name.
        case name
        /// The log, whose reader may be slow.
        case log

        /// Threads that work of this kind may hold at once.
        var threads: Int {
            switch self {
            case .open, .link, .sync, .commit, .write, .read: 4
            case .list, .lease, .name: 2
            case .log: 1
            }
        }

        /// Whether it gives way to the loop where they share a processor. With the same priority, a thread that never waits holds the
        /// loop up for a whole slice of time (3 ms) now and then.
        var isBackground: Bool { self == .list }

        /// The size of the pool: no lane ever waits for another's threads.
        static var poolThreads: Int { self.allCases.reduce(0) { $0 + ($1.isBackground ? 0 : $1.threads) } }
    }

    private static var running = [Int](repeating: 0, count: Lane.allCases.count)
    private static var waiting = [RingQueue<Job>](repeating: RingQueue(), count: Lane.allCases.count)

    /// Whether no thread is held.
    static var isIdle: Bool { self.running.allSatisfy { $0 == 0 } }

    /// Runs `work` on a pool thread and returns what it returns, back on the loop.
    public static func run<Value: ~Copyable & Sendable, Failure: Error>(
        _ lane: Lane, _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outcome = Outcome<Value, Failure>()
        await withCheckedContinuation { continuation in
            let job = Job(lane: lane, continuation: continuation) { outcome.fill(work) }
            if self.running[lane.rawValue] < lane.threads { self.start(job) } else { self.waiting[lane.rawValue].append(job) }
        }
        return try outcome.take()
    }

    private static func start(_ job: Job) {
        self.running[job.lane.rawValue] += 1
        if job.lane.isBackground, self.startThread(job) { return }
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

    /// Runs the job on a thread of its own: a priority that was lowered is not raised again without privileges, so none of the pool's can
    /// be taken.
    /// - Returns: `false` when the process may have no more threads.
    private static func startThread(_ job: Job) -> Bool {
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(job)
        guard unsafe pthread_create(&thread, nil, performBackgroundJob, argument.toOpaque()) == 0 else {
            unsafe argument.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    fileprivate static func didFinish(_ job: Job) {
        let lane = job.lane.rawValue
        self.running[lane] -= 1
        if let next = self.waiting[lane].popFirst() { self.start(next) }
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

private func performBackgroundJob(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let job = unsafe Unmanaged<BlockingWork.Job>.fromOpaque(argument!).takeRetainedValue()
    // Of this thread alone. Where it fails, the work is done all the same.
    _ = nice(backgroundNiceness)
    job.perform()
    EventLoop.spawn { BlockingWork.didFinish(job) }
    return nil
}
