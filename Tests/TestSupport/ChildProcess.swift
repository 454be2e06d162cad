internal import Glibc

/// A program started with its own files for output: nothing blocks when nobody reads. Killed when this object goes.
public final class ChildProcess {
    public let processID: Int32
    private let scratch: TemporaryFolder
    private var status: Int32?

    /// - Parameters:
    ///   - arguments: the program (looked up in PATH) and its arguments.
    ///   - environment: entries added to this process's own.
    ///   - input: bytes for its standard input; none is `/dev/null`.
    ///   - folder: its working folder; none is this process's own.
    ///   - descriptors: what it gets as descriptors 3 and up.
    public init(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8]? = nil, in folder: String? = nil,
        descriptors: [CInt] = []
    ) throws {
        self.scratch = try TemporaryFolder()
        if let input { try self.scratch.write("in", input) }
        try self.scratch.write("out", [])
        try self.scratch.write("err", [])

        var actions = unsafe posix_spawn_file_actions_t()
        _ = unsafe posix_spawn_file_actions_init(&actions)
        defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
        _ = unsafe posix_spawn_file_actions_addopen(
            &actions, 0, input == nil ? "/dev/null" : self.scratch.path(of: "in"), O_RDONLY, 0)
        _ = unsafe posix_spawn_file_actions_addopen(&actions, 1, self.scratch.path(of: "out"), O_WRONLY | O_APPEND, 0)
        _ = unsafe posix_spawn_file_actions_addopen(&actions, 2, self.scratch.path(of: "err"), O_WRONLY | O_APPEND, 0)

        // Nothing else is inherited: a child that outlives the test run must hold no lock or pipe of whoever started the run.
        for name in FileBytes.names(in: "/proc/self/fd") {
            guard let descriptor = CInt(String(decoding: name, as: UTF8.self)), descriptor > 2 else { continue }
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0, flags & FD_CLOEXEC == 0 { _ = unsafe posix_spawn_file_actions_addclose(&actions, descriptor) }
        }

        // A descriptor may have the number that another is to get, so all go out of the way first.
        let high = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { for descriptor in high { _ = close(descriptor) } }
        for (index, descriptor) in high.enumerated() {
            _ = unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, 3 + CInt(index))
        }

        var attributes = posix_spawnattr_t()
        _ = unsafe posix_spawnattr_init(&attributes)
        defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        _ = unsafe sigemptyset(&none)
        var all = sigset_t()
        _ = unsafe sigfillset(&all)
        _ = unsafe posix_spawnattr_setsigmask(&attributes, &none)
        _ = unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        _ = unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var variables = environment.map { "\($0.key)=\($0.value)" }
        for entry in Self.ownEnvironment() {
            let name = entry.prefix { $0 != "=" }
            if environment[String(name)] == nil, !name.hasPrefix("UVDROP_") { variables.append(entry) }
        }
        let arguments = folder.map { ["env", "-C", $0] + arguments } ?? arguments
        var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var entries: [UnsafeMutablePointer<CChar>?] = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe entries.indices { unsafe free(entries[index]) }
        }
        var child: pid_t = 0
        let result = unsafe posix_spawnp(&child, arguments[0], &actions, &attributes, &words, &entries)
        guard result == 0 else { throw TestFailure("cannot start \(arguments): errno \(result)") }
        self.processID = child
    }

    deinit {
        if self.exitStatus == nil {
            _ = kill(self.processID, SIGKILL)
            _ = waitpid(self.processID, nil, 0)
        }
    }

    /// What it has written so far.
    public var output: [UInt8] { self.scratch.read("out") ?? [] }
    public var outputText: String { String(decoding: self.output, as: UTF8.self) }
    public var errorText: String { String(decoding: self.scratch.read("err") ?? [], as: UTF8.self) }

    /// nil while it runs; its exit code, or the negative number of the signal that ended it.
    public var exitStatus: Int? {
        if self.status == nil {
            var raw: Int32 = 0
            if unsafe waitpid(self.processID, &raw, WNOHANG) == self.processID { self.status = raw }
        }
        return self.status.map { $0 & 0x7F == 0 ? Int(($0 >> 8) & 0xFF) : -Int($0 & 0x7F) }
    }

    public func signal(_ number: Int32) {
        if self.exitStatus == nil { _ = kill(self.processID, number) }
    }

    /// Waits for its end.
    public func wait(within seconds: Double = Double(patienceSeconds)) throws -> Int {
        guard eventually(within: seconds, every: 1, { self.exitStatus != nil }), let status = self.exitStatus else {
            throw TestFailure("process \(self.processID) still runs after \(seconds) s")
        }
        return status
    }

    private static func ownEnvironment() -> [String] {
        var entries: [String] = []
        for entry in (FileBytes.read("/proc/self/environ") ?? []).split(separator: 0) {
            entries.append(String(decoding: entry, as: UTF8.self))
        }
        return entries
    }
}
