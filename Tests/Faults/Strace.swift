import Glibc
import TestSupport

/// strace(1), attached to running processes until it is told to let go.
final class Strace {
    private let child: ChildProcess
    private let scratch: TemporaryFolder

    /// One call of a thread.
    struct Call: Hashable {
        let thread: Substring
        let name: Substring
    }

    /// Returns when every thread of the processes is traced.
    /// - Parameter options: of strace, which say what is traced and what fails.
    init(_ processes: [Int32], _ options: [String]) throws {
        let scratch = try TemporaryFolder()
        let targets = processes.flatMap { ["-p", String($0)] }
        let child = try ChildProcess(["strace", "-f", "-qq", "-o", scratch.path(of: "log")] + options + targets)
        let isAttached = eventually(every: 1) {
            child.exitStatus != nil || processes.allSatisfy { Self.isTraced($0, by: child.processID) }
        }
        guard isAttached, child.exitStatus == nil else { throw TestFailure("strace does not trace: \(child.errorText)") }
        self.child = child
        self.scratch = scratch
    }

    private static func isTraced(_ process: Int32, by tracer: Int32) -> Bool {
        let threads = FileBytes.names(in: "/proc/\(process)/task").map { String(decoding: $0, as: UTF8.self) }
        return threads.allSatisfy { thread in
            let status = FileBytes.read("/proc/\(process)/task/\(thread)/status") ?? []
            return String(decoding: status, as: UTF8.self).contains("TracerPid:\t\(tracer)\n")
        }
    }

    /// Lets go of the processes.
    /// - Returns: what it has seen, in the order in which it began, and how many calls failed that would not have.
    func detach() throws -> (calls: [Call], injected: Int) {
        self.child.signal(SIGINT)
        _ = try self.child.wait()
        let lines = (self.scratch.text("log") ?? "").split(separator: "\n")
        let calls = lines.compactMap { line -> Call? in
            // 123 openat(…, or for its end 123 <... openat resumed>…
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count > 1, let end = words[1].firstIndex(of: "(") else { return nil }
            return Call(thread: words[0], name: words[1][..<end])
        }
        return (calls, lines.count { $0.hasSuffix("(INJECTED)") })
    }
}
