internal import Glibc

/// The real program, serving a folder on a free port.
public final class ServerProcess {
    public let child: ChildProcess
    public let port: UInt16

    /// Starts it and returns when it printed the URL it listens at.
    /// - Parameters:
    ///   - bind: where it listens; `nil` leaves that to the program.
    ///   - shell: commands of `sh` that come first in its process, such as `umask 077`.
    ///   - tracer: a program and its arguments that start it and leave it its process, as `strace -D` does.
    ///   - descriptors: what it gets as descriptors 3 and up.
    ///   - directory: its working directory; `nil` is this process's own.
    ///   - workerOptions: how many workers it has; as many as this run is for unless told otherwise.
    public init(
        _ folder: String, _ options: [String] = [], port: UInt16 = 0, bind: String? = "127.0.0.1", after shell: String? = nil,
        under tracer: [String] = [], environment: [String: String] = [:], descriptors: [CInt] = [], in directory: String? = nil,
        workerOptions: [String] = ServerProcess.workerOptions
    ) throws {
        let prefix = shell.map { ["sh", "-c", "\($0); exec \"$0\" \"$@\""] } ?? []
        let binding = bind.map { ["--bind", $0] } ?? []
        let arguments = prefix + tracer + [Self.binary, folder, "--port", String(port)] + binding + workerOptions + options
        let child = try ChildProcess(arguments, environment: environment, in: directory, descriptors: descriptors)
        var found: UInt16?
        let started = eventually {
            found = Self.port(in: child.outputText)
            return found != nil || child.exitStatus != nil
        }
        guard started, let found else {
            throw TestFailure(
                "\(arguments) did not start: status \(String(describing: child.exitStatus)) \(child.outputText)\(child.errorText)"
            )
        }
        self.child = child
        self.port = found
    }

    /// How many workers servers have in this run: `UVDROP_TEST_WORKERS`, else one.
    public static let workers = ServerProcess.variable("UVDROP_TEST_WORKERS").flatMap { Int($0) } ?? 1

    /// What says so on a command line.
    public static var workerOptions: [String] { self.workers == 1 ? [] : ["--workers", String(self.workers)] }

    /// A variable of this process's environment.
    public static func variable(_ name: String) -> String? {
        for entry in (FileBytes.read("/proc/self/environ") ?? []).split(separator: 0) {
            let text = String(decoding: entry, as: UTF8.self)
            if text.hasPrefix("\(name)=") { return String(text.dropFirst(name.count + 1)) }
        }
        return nil
    }

    /// Where the program is: `UVDROP_BINARY`, or beside the test bundle, or in the package's debug build.
    public static var binary: String {
        if let given = self.variable("UVDROP_BINARY") { return given }
        var candidates = CommandLine.arguments.filter { $0.contains(".xctest") || $0.contains("/.build/") }
        if let resolved = unsafe realpath("/proc/self/exe", nil) {
            candidates.append(unsafe String(cString: resolved))
            unsafe free(resolved)
        }
        for candidate in candidates {
            var parts = candidate.split(separator: "/", omittingEmptySubsequences: false)
            while !parts.isEmpty {
                parts.removeLast()
                let path = parts.joined(separator: "/") + "/uvdrop"
                if parts.contains(".build"), Self.isProgram(path) { return path }
            }
        }
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        return root + "/.build/debug/uvdrop"
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return unsafe access(path, X_OK) == 0
    }

    /// The port of the first URL that `text` holds.
    private static func port(in text: String) -> UInt16? {
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
            for word in line.split(separator: " ") where word.hasPrefix("http://") && word.hasSuffix("/") {
                if let digits = word.dropLast().split(separator: ":").last, let port = UInt16(digits) { return port }
            }
        }
        return nil
    }

    public var url: String { "http://127.0.0.1:\(self.port)" }
    public var isRunning: Bool { self.child.exitStatus == nil }

    /// The processes that serve: its workers, or itself when it has none.
    public var serving: [Int32] {
        let tasks = "/proc/\(self.child.processID)/task"
        // Each thread has its own list.
        let workers = FileBytes.names(in: tasks).flatMap { task in
            let list = FileBytes.read("\(tasks)/\(String(decoding: task, as: UTF8.self))/children") ?? []
            return String(decoding: list, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
        }.filter { process in
            // One that has been forked and runs no program yet is still a copy of the supervisor, its handlers of signals included.
            let environment = FileBytes.read("/proc/\(process)/environ") ?? []
            return environment.split(separator: 0).contains { $0.starts(with: "UVDROP_SUPERVISOR=".utf8) }
        }
        return workers.isEmpty ? [self.child.processID] : workers.sorted()
    }

    /// The number of descriptors they have open.
    public var descriptors: Int { self.serving.reduce(0) { $0 + FileBytes.names(in: "/proc/\($1)/fd").count } }

    /// What their descriptors lead to, as the kernel names it.
    public var openFiles: [String] { self.serving.flatMap { self.openFiles(of: $0) } }

    /// The same of one process.
    public func openFiles(of process: Int32) -> [String] {
        FileBytes.names(in: "/proc/\(process)/fd").compactMap { name in
            var target = [CChar](repeating: 0, count: 4096)
            let path = "/proc/\(process)/fd/\(String(decoding: name, as: UTF8.self))"
            let count = unsafe readlinkat(AT_FDCWD, path, &target, target.count)
            return count > 0 ? String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
        }
    }

    /// The processor time that they have taken, in seconds.
    public var cpuSeconds: Double {
        self.serving.reduce(0) { sum, process in
            let text = String(decoding: FileBytes.read("/proc/\(process)/stat") ?? [], as: UTF8.self)
            // What follows the name, which may hold anything: state, and eleven numbers before the two.
            let words = text.split(separator: ")").last?.split(separator: " ") ?? []
            return sum + words.dropFirst(11).prefix(2).reduce(0) { $0 + (Double($1) ?? 0) } / Double(sysconf(CInt(_SC_CLK_TCK)))
        }
    }

    /// Their resident memory in bytes.
    public var residentBytes: Int { self.memory("VmRSS:") }
    /// The most that their resident memory ever was.
    public var peakResidentBytes: Int { self.memory("VmHWM:") }

    private func memory(_ field: String) -> Int {
        self.serving.reduce(0) { sum, process in
            let status = String(decoding: FileBytes.read("/proc/\(process)/status") ?? [], as: UTF8.self)
            let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
            return sum + (Int(line?.filter { $0.isNumber } ?? "") ?? 0) << 10
        }
    }

    /// Asks it to end (SIGTERM) and gives its exit status.
    @discardableResult
    public func stop(within seconds: Double = Double(patienceSeconds)) throws -> Int {
        self.child.signal(SIGTERM)
        return try self.child.wait(within: seconds)
    }

    /// Ends all its processes at once, as when the machine goes, and returns when nothing of them is open any more.
    public func kill() throws {
        // Its supervisor first: it would start others.
        let processes = [self.child.processID] + self.serving.filter { $0 != self.child.processID }
        for process in processes { _ = Glibc.kill(process, SIGKILL) }
        _ = try self.child.wait()
        // One that nobody has waited for yet is still there, without descriptors.
        guard eventually(every: 1, { processes.allSatisfy { FileBytes.names(in: "/proc/\($0)/fd").isEmpty } }) else {
            throw TestFailure("one of \(processes) is still there")
        }
    }

    public func connect(receiveBuffer: Int? = nil) throws -> RawClient {
        try RawClient(port: self.port, receiveBuffer: receiveBuffer)
    }

    /// One request on a connection of its own.
    public func ask(_ method: String, _ target: String, _ fields: [(String, String)] = [], body: [UInt8]? = nil) throws
        -> HTTPReply
    {
        let client = try self.connect()
        defer { client.close() }
        client.sendIgnoringRefusal(HTTPRequest.bytes(method, target, fields + [("Connection", "close")], body: body))
        return try client.readReply(to: method)
    }

    public func get(_ target: String, _ fields: [(String, String)] = []) throws -> HTTPReply {
        try self.ask("GET", target, fields)
    }

    public func put(_ target: String, _ body: [UInt8], _ fields: [(String, String)] = []) throws -> HTTPReply {
        try self.ask("PUT", target, fields, body: body)
    }

    /// A form sent by a client that takes JSON (201), or by a browser (303).
    public func post(_ form: Form, to target: String = "/", json: Bool = true) throws -> HTTPReply {
        let accept = json ? "application/json" : "text/html,application/xhtml+xml,*/*;q=0.8"
        return try self.ask("POST", target, [("Accept", accept), ("Content-Type", form.contentType)], body: form.body)
    }
}
