internal import CUV
internal import Glibc
internal import Synchronization

/// Runs Swift concurrency jobs on the thread that runs one `uv_loop_t`.
///
/// A job enqueued on the loop thread goes to `local`, a plain array that is run before the libuv callback that caused it
/// returns: no lock and no system call. Only other threads pay for the inbox and the wake-up.
@safe final class LoopExecutor: SerialExecutor, TaskExecutor {
    /// Jobs waiting for the loop thread, and whether a wake-up is already on its way.
    private struct Inbox {
        var jobs: [UnownedJob] = []
        var wakeScheduled = false
    }

    private let inbox = PosixMutex(Inbox())
    // Safe: all of them are touched on the loop thread only.
    private nonisolated(unsafe) var local: [UnownedJob] = []
    private nonisolated(unsafe) var hasLocal = false
    private nonisolated(unsafe) var isRunningLocal = false
    private nonisolated(unsafe) var nextTurn: [() -> Void] = []
    // Safe: the same.
    private(set) nonisolated(unsafe) var turn: UInt64 = 0
    private nonisolated(unsafe) var entries = 0
    private let thread: Atomic<UInt> = Atomic(0)
    // Safe: `uv_async_send` is the one libuv call documented as callable from any thread.
    private nonisolated(unsafe) let wakeHandle: UnsafeMutablePointer<uv_async_t>
    // Safe: touched on the loop thread only.
    private nonisolated(unsafe) let turnHandle: UnsafeMutablePointer<uv_prepare_t>
    nonisolated(unsafe) let loop: UnsafeMutablePointer<uv_loop_t>

    init() throws(UVError) {
        unsafe self.loop = .allocate(capacity: 1)
        unsafe self.wakeHandle = .allocate(capacity: 1)
        unsafe self.turnHandle = .allocate(capacity: 1)
        // The pool reads its size once, at first use; what the environment says wins.
        unsafe setenv("UV_THREADPOOL_SIZE", "\(BlockingWork.Lane.poolThreads)", 0)
        try unsafe check(uv_loop_init(self.loop), "uv_loop_init")
        unsafe self.wakeHandle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        try unsafe check(
            uv_async_init(self.loop, self.wakeHandle) { handle in
                unsafe Unmanaged<LoopExecutor>.fromOpaque(handle!.pointee.data).takeUnretainedValue().drain()
            }, "uv_async_init")
        try unsafe check(uv_prepare_init(self.loop, self.turnHandle), "uv_prepare_init")
        unsafe self.turnHandle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        try unsafe check(
            uv_prepare_start(self.turnHandle) { handle in
                unsafe Unmanaged<LoopExecutor>.fromOpaque(handle!.pointee.data).takeUnretainedValue().beginTurn()
            }, "uv_prepare_start")
    }

    /// libuv is about to look for events.
    private func beginTurn() {
        unsafe self.turn &+= 1
        unsafe self.entries = 0
    }

    /// A callback of libuv begins. Traps on any other thread.
    func enter() {
        self.checkIsolated()
        unsafe self.entries &+= 1
        // After 1024 events libuv looks for more without telling.
        if unsafe self.entries > 512 { unsafe self.turn &+= 1 }
    }

    /// Starts the loop's thread, which holds this object for good.
    func start() {
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { argument in
                var set = sigset_t()
                unsafe sigemptyset(&set)
                unsafe sigaddset(&set, SIGPIPE)
                unsafe sigaddset(&set, SIGXFSZ)
                unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
                unsafe Unmanaged<LoopExecutor>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        precondition(result == 0, "pthread_create failed")
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if self.isOnLoopThread {
            unsafe self.local.append(job)
            unsafe self.hasLocal = true
            return
        }
        let mustWake = self.inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.wakeScheduled = true }
            return !inbox.wakeScheduled
        }
        if mustWake { unsafe uv_async_send(self.wakeHandle) }
    }

    /// Calls `body` once the loop has looked for events again. On the loop thread only.
    func atNextTurn(_ body: @escaping () -> Void) {
        self.checkIsolated()
        unsafe self.nextTurn.append(body)
        unsafe uv_async_send(self.wakeHandle)
    }

    func checkIsolated() {
        precondition(self.isOnLoopThread, "called off the loop thread")
    }

    private var isOnLoopThread: Bool {
        self.thread.load(ordering: .relaxed) == UInt(uv_thread_self())
    }

    private func run() {
        self.thread.store(UInt(uv_thread_self()), ordering: .relaxed)
        // The wake-up handle keeps the loop alive, so this returns only if libuv itself fails.
        unsafe uv_run(self.loop, UV_RUN_DEFAULT)
    }

    /// Runs what callbacks on the loop thread made ready. Called at the end of each of them.
    func runLocal() {
        guard unsafe self.hasLocal, unsafe !self.isRunningLocal else { return }
        unsafe self.isRunningLocal = true
        defer { unsafe self.isRunningLocal = false }
        var index = 0
        while unsafe index < self.local.count {
            unsafe self.run(self.local[index])
            index += 1
        }
        unsafe self.local.removeAll(keepingCapacity: true)
        unsafe self.hasLocal = false
    }

    private func drain() {
        let jobs = self.inbox.withLock { inbox in
            inbox.wakeScheduled = false
            let jobs = inbox.jobs
            inbox.jobs = []
            return jobs
        }
        let turns = unsafe self.nextTurn
        unsafe self.nextTurn = []
        for job in jobs { self.run(job) }
        for turn in turns { turn() }
        self.runLocal()
    }

    private func run(_ job: UnownedJob) {
        unsafe job.runSynchronously(
            isolatedTo: self.asUnownedSerialExecutor(),
            taskExecutor: self.asUnownedTaskExecutor()
        )
    }
}
