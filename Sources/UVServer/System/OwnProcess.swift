internal import CUV
internal import Glibc

/// The process that the server runs in: its limits, its environment, its end.
public enum OwnProcess {
    /// How many descriptors this process may hold.
    public static var descriptorLimit: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the number of descriptors to the hard limit.
    public static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        // Where it may not be raised, the connection cap follows the limit that is.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// How many processors this process may run on (`sched_getaffinity`).
    public static var processors: Int { Int(uv_available_parallelism()) }

    public static var processID: Int32 { getpid() }

    /// Asks the kernel to send `signal` to this process when `parent` ends.
    /// - Returns: `false` when that has ended already.
    public static func signal(_ signal: CInt, whenEnds parent: Int32) -> Bool {
        // Only a signal that does not exist is refused.
        _ = shim_signal_with_parent(signal)
        return getppid() == parent
    }

    /// Sets what ps(1) shows as the process's name, 15 bytes at most. From the main thread only.
    public static func setName(_ name: String) { unsafe shim_name_thread(name) }

    /// Opens `/dev/null` in the place of each standard descriptor that the process was started without: else the first sockets would
    /// take their numbers, and the log would be written into one. For the start of a program, before anything else is opened.
    public static func fillStandardDescriptors() {
        for descriptor in 0...2 as ClosedRange<CInt> where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one. Without /dev/null there is nothing better to do.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// Lets all threads allocate from few heaps. glibc gives each thread its own, and each pool thread that has once made a long list
    /// keeps the room for it. `MALLOC_ARENA_MAX` from the environment wins. For the start of a program.
    public static func shareHeap() {
        guard unsafe getenv("MALLOC_ARENA_MAX") == nil else { return }
        _ = mallopt(M_ARENA_MAX, 2)
    }

    /// The environment variables whose names begin with `prefix`.
    public static func environment(prefix: String) -> [String: String] {
        var variables: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let line = unsafe String(cString: text)
            if line.hasPrefix(prefix), let equals = line.firstIndex(of: "=") {
                variables[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            unsafe entry += 1
        }
        return variables
    }

    /// The path of the working directory, without symlinks; `nil` when it has none any more, or one that is not UTF-8.
    public static var workingDirectory: String? {
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(validatingCString: path)
    }

    /// `path` without symlinks and relative parts; as it is when it leads nowhere.
    public static func absolute(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Holds the calling thread until the process ends. Signals are handled meanwhile.
    public static func park() -> Never {
        while true { _ = pause() }
    }

    /// Ends the process. libuv waits at exit for the threads of its pool, and one of them may be held by a disk or by a reader of the
    /// log that never comes back: then nothing is waited for.
    @EventLoop public static func end(_ code: CInt) -> Never {
        if BlockingWork.isIdle { exit(code) }
        _exit(code)
    }
}
