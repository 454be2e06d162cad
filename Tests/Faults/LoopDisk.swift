internal import CFaults
import Glibc
import TestSupport

/// A disk of its own with ext4 on it, unless told otherwise, whose power can be cut. Nothing gets there that was not synced: the file
/// system writes its journal by itself after five minutes only, and what has none is written by the kernel after half a minute.
final class LoopDisk {
    private let outer: TemporaryFolder
    private let image: String
    /// Where it is mounted.
    private let mountPoint: String
    private let mountOptions: String

    /// - Parameter format: the command that makes the file system.
    init(format: [String] = ["mkfs.ext4"], mountOptions: [String] = ["commit=300"]) throws {
        self.mountOptions = (["loop"] + mountOptions).joined(separator: ",")
        self.outer = try TemporaryFolder()
        self.image = self.outer.path(of: "image")
        self.mountPoint = self.outer.path(of: "mounted")
        try self.outer.makeFolder("mounted")
        try Self.command(["truncate", "-s", "512M", self.image])
        try Self.command(format + ["-q", "-F", self.image])
        try self.mount()
        try self.outer.makeFolder("mounted/drop")
        try self.outer.makeFolder("mounted/drop/sub")
        try Self.command(["sync", "-f", self.mountPoint])
    }

    // Lazy, so that it also goes when the server under test would not end.
    deinit { _ = try? Command.run(["umount", "-l", self.mountPoint]) }

    /// A folder on it.
    var drop: String { self.mountPoint + "/drop" }

    private func mount() throws {
        try Self.command(["mount", "-o", self.mountOptions, self.image, self.mountPoint])
    }

    /// What `look` sees in the folder if the power is cut now, and the file system repaired as at the next start. This disk goes on.
    func afterPowerCut<Value>(_ look: (_ drop: String) throws -> Value) throws -> Value {
        let (copy, place) = (self.outer.path(of: "copy"), self.outer.path(of: "cut"))
        try Self.command(["cp", "--sparse=always", self.image, copy])
        defer { self.outer.remove("copy") }
        let check = try Command.run(["fsck", "-fy", copy])
        // 1: repaired.
        guard check.status <= 1 else { throw TestFailure("fsck: \(check.text)\(check.errorText)") }
        try Self.command(["mkdir", "-p", place])
        try Self.command(["mount", "-o", self.mountOptions, copy, place])
        defer { _ = try? Command.run(["umount", "-l", place]) }
        return try look(place + "/drop")
    }

    /// From now on nothing reaches the disk, and what was not there is lost with the next mount.
    func cutPower() throws {
        guard unsafe faults_cut_power(self.mountPoint) == 0 else { throw TestFailure("cannot cut the power: errno \(errno)") }
    }

    /// Mounts it anew, once nobody uses it any more.
    func restart() throws {
        var last = ""
        let isUnmounted = try eventually {
            let unmount = try Command.run(["umount", self.mountPoint])
            last = unmount.errorText
            return unmount.status == 0
        }
        guard isUnmounted else { throw TestFailure("cannot unmount: \(last)") }
        try self.mount()
    }

    private static func command(_ words: [String]) throws {
        let run = try Command.run(words)
        guard run.status == 0 else { throw TestFailure("\(words): \(run.errorText)") }
    }
}
