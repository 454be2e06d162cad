internal import Glibc

/// A real, empty folder that goes with all its content when the value goes.
public final class ScratchFolder: Sendable {
    public let path: String

    public init() {
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        self.path = "/tmp/uvdrop-test-\(name)"
        let result = unsafe mkdir(self.path, 0o755)
        precondition(result == 0, "a test folder can be made")
    }

    deinit { Self.remove(self.path) }

    public func path(_ name: String) -> String { "\(self.path)/\(name)" }

    public func makeFolder(_ name: String) {
        let result = unsafe mkdir(self.path(name), 0o755)
        precondition(result == 0, "mkdir \(name)")
    }

    public func write(_ name: String, _ content: String) {
        let descriptor = unsafe Glibc.open(self.path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        precondition(descriptor >= 0, "open \(name)")
        let bytes = Array(content.utf8)
        let count = unsafe Glibc.write(descriptor, bytes, bytes.count)
        precondition(count == bytes.count, "write \(name)")
        _ = close(descriptor)
    }

    /// A symlink called `name` that says `target`.
    public func link(_ name: String, to target: String) {
        let result = unsafe symlink(target, self.path(name))
        precondition(result == 0, "symlink \(name)")
    }

    public func makePipe(_ name: String) {
        let result = unsafe mkfifo(self.path(name), 0o644)
        precondition(result == 0, "mkfifo \(name)")
    }

    /// The content of a file; `nil` when there is none.
    public func read(_ name: String) -> String? {
        let descriptor = unsafe Glibc.open(self.path(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// The permission bits of a file.
    public func mode(_ name: String) -> UInt32? {
        var status = stat()
        guard unsafe lstat(self.path(name), &status) == 0 else { return nil }
        return status.st_mode & 0o7777
    }

    public func isSymlink(_ name: String) -> Bool {
        var status = stat()
        return unsafe lstat(self.path(name), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Every name in the folder, hidden ones too, sorted.
    public func names(_ name: String = ".") -> [String] { Self.names(self.path(name)).sorted() }

    /// How many descriptors this process has open on files beneath the folder, deleted and unnamed ones too.
    public func openDescriptors() -> Int {
        Self.names("/proc/self/fd").filter { name in
            var target = [CChar](repeating: 0, count: 4096)
            let count = unsafe readlink("/proc/self/fd/\(name)", &target, target.count)
            let bytes = target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
            return String(decoding: bytes, as: UTF8.self).hasPrefix(self.path)
        }.count
    }

    private static func names(_ path: String) -> [String] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe [UInt8]($0.prefix { $0 != 0 }) }
            let name = String(decoding: bytes, as: UTF8.self)
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func remove(_ path: String) {
        for name in self.names(path) where unsafe unlink("\(path)/\(name)") != 0 { self.remove("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }
}
