internal import Glibc

/// A file system in memory, mounted as `drop` in a temporary folder for as long as the value lives.
public final class SmallMount {
    public let path: String
    private let options: String

    /// - Throws: where mounting is not allowed: a test that needs it carries the trait `.mounts`.
    public init(_ outer: TemporaryFolder, options: String) throws {
        try outer.makeFolder("drop")
        self.path = outer.path(of: "drop")
        self.options = options
        try self.mount()
    }

    /// Whether this run may mount one. Found out by doing it.
    static let isAllowed: Bool = {
        guard let outer = try? TemporaryFolder() else { return false }
        return (try? SmallMount(outer, options: "size=1m")) != nil
    }()

    /// Mounts another one, after ``unmount()``.
    public func mount() throws {
        let mount = try Command.run(["mount", "-t", "tmpfs", "-o", self.options, "tmpfs", self.path])
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
