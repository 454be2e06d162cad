/// A file system in memory, mounted as `drop` in a temporary folder for as long as the value lives.
public final class SmallMount {
    public let path: String

    /// `nil`, and a line that the test run counts, where mounting is not allowed.
    public init?(_ outer: TemporaryFolder, _ test: String, options: String) throws {
        try outer.makeFolder("drop")
        self.path = outer.path(of: "drop")
        let mount = try Command.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.path])
        guard mount.status == 0 else {
            let reason = mount.errorText.split(separator: "\n").first ?? "no reason given"
            print("SKIPPED: \(test): cannot mount a small file system (\(reason))")
            return nil
        }
    }

    // Lazy, so that it also goes when the server under test would not end.
    deinit { _ = try? Command.run(["umount", "-l", self.path]) }
}
