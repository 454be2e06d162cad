internal import Glibc

/// A file system in memory, mounted as `drop` in a temporary folder for as long as the value lives.
public final class SmallMount {
    public let path: String
    private let options: String

    /// `nil`, and a line that the test run counts, where mounting is not allowed.
    public init?(_ outer: TemporaryFolder, _ test: String, options: String) throws {
        try outer.makeFolder("drop")
        self.path = outer.path(of: "drop")
        self.options = options
        let mount = try self.tryMount()
        guard mount.status == 0 else {
            let reason = mount.errorText.split(separator: "\n").first ?? "no reason given"
            print("SKIPPED: \(test): cannot mount a small file system (\(reason))")
            return nil
        }
    }

    private func tryMount() throws -> Command {
        try Command.run(["mount", "-t", "tmpfs", "-o", self.options, "tmpfs", self.path])
    }

    /// Mounts another one, after ``unmount()``.
    public func mount() throws {
        let mount = try self.tryMount()
        guard mount.status == 0 else { throw TestFailure("mount: \(mount.errorText)") }
    }

    /// What anyone may still write to it, in bytes.
    public var freeBytes: Int {
        var status = statvfs()
        guard unsafe statvfs(self.path, &status) == 0 else { return -1 }
        return Int(status.f_bavail * UInt(status.f_frsize))
    }

    public func remount(_ option: String) throws {
        let mount = try Command.run(["mount", "-o", "remount,\(option)", self.path])
        guard mount.status == 0 else { throw TestFailure("mount: \(mount.errorText)") }
    }

    /// Takes the name away at once, also while files of it are open.
    public func unmount() throws {
        let unmount = try Command.run(["umount", "-l", self.path])
        guard unmount.status == 0 else { throw TestFailure("umount: \(unmount.errorText)") }
    }

    // Lazy, so that it also goes when the server under test would not end.
    deinit { _ = try? Command.run(["umount", "-l", self.path]) }
}
