import Glibc
import TestSupport
import Testing

@testable import UVServer

@Suite("A child process", .timeLimit(.minutes(1))) @EventLoop struct ChildProcessTests {
    @EventLoop private final class Observed {
        var lines: [String] = []
        var end: UVServer.ChildProcess.End?
        let ended = Milestone()
        nonisolated init() {}
    }

    private func start(_ script: String, _ descriptors: [CInt] = [], _ observed: Observed) throws -> UVServer.ChildProcess {
        let program = UVServer.ChildProcess.Program(
            path: "/bin/sh", arguments: ["sh", "-c", script], environment: ["GIVEN": "word", "PATH": "/usr/bin:/bin"])
        return try UVServer.ChildProcess(program, descriptors: descriptors) {
            observed.lines.append($0)
        } ended: {
            observed.end = $0
            observed.ended.reach()
        }
    }

    @Test("reports lines and then how it ended, has the environment that it was given and a session of its own")
    func reports() async throws {
        let observed = Observed()
        let child = try self.start(
            "echo one >&3; echo $GIVEN $PWDX >&3; ps -o sid= -p $$ >&3; printf rest >&3; exit 7", [], observed)
        let process = child.processID
        await observed.ended.reached()
        #expect(observed.lines.prefix(2) == ["one", "word"] && observed.lines.count == 3)
        #expect(observed.lines.last.map { $0.filter(\.isNumber) } == String(process))
        #expect(observed.end == .exited(7))
    }

    @Test("has the descriptors that it was given, in their order, and reports after them") func descriptors() async throws {
        let place = try TemporaryFolder()
        for name in ["a", "b"] { try place.write(name, "content of \(name)\n") }
        let files = ["b", "a"].map { unsafe open(place.path(of: $0), O_RDONLY | O_CLOEXEC) }
        let observed = Observed()
        let child = try self.start("cat <&3 >&5; cat <&4 >&5", files, observed)
        await observed.ended.reached()
        #expect(observed.lines == ["content of b", "content of a"] && observed.end == .exited(0))
        withExtendedLifetime(child) {}
        for file in files { close(file) }
    }

    @Test("can be sent signals, which its end tells") func signals() async throws {
        let observed = Observed()
        let child = try self.start("echo ready >&3; exec sleep 1000", [], observed)
        child.signal(SIGKILL)
        await observed.ended.reached()
        #expect(observed.end == .killed(signal: Int(SIGKILL)))
        child.signal(SIGKILL)
    }

    @Test("that cannot be started is told, and nothing else") func missing() throws {
        let program = UVServer.ChildProcess.Program(path: "/nowhere/at/all", arguments: ["x"], environment: [:])
        let error = #expect(throws: UVError.self) {
            try UVServer.ChildProcess(program, descriptors: []) { _ in
                Issue.record("a report")
            } ended: { _ in
                Issue.record("an end")
            }
        }
        #expect(error?.code == -ENOENT)
    }
}
