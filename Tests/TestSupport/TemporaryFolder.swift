internal import Glibc

<<<<<<< HEAD
/// A real, empty folder that goes with all its content when the value goes.
public final class TemporaryFolder: Sendable {
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
=======
/// A folder that exists as long as this object does. Names are text here; compare them as UTF-8 bytes where the form matters.
public final class TemporaryFolder {
    public let path: String

    public init() throws {
        var template = [UInt8]("/tmp/uvdrop-test-XXXXXX".utf8) + [0]
        let made = unsafe template.withUnsafeMutableBytes { bytes in
            unsafe mkdtemp(bytes.baseAddress!.assumingMemoryBound(to: CChar.self)) != nil
        }
        guard made else { throw TestFailure("no temporary folder: errno \(errno)") }
        self.path = String(decoding: template.dropLast(), as: UTF8.self)
    }

    deinit {
        Self.remove(self.path)
    }

    public func path(of name: String) -> String {
        self.path + "/" + name
    }

    public func write(_ name: String, _ bytes: [UInt8]) throws {
        try FileBytes.write(bytes, to: self.path(of: name))
    }

    public func write(_ name: String, _ text: String) throws {
        try self.write(name, [UInt8](text.utf8))
    }

    /// The bytes of a file, or nil when there is none.
    public func read(_ name: String) -> [UInt8]? {
        FileBytes.read(self.path(of: name))
    }

    public func exists(_ name: String) -> Bool {
        var status = stat()
        return unsafe lstat(self.path(of: name), &status) == 0
    }

    /// Whether the name itself is a symbolic link.
    public func isLink(_ name: String) -> Bool {
        var status = stat()
        return unsafe lstat(self.path(of: name), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    public func remove(_ name: String) {
        Self.remove(self.path(of: name))
    }

    public func makeFolder(_ name: String) throws {
        guard unsafe mkdir(self.path(of: name), 0o755) == 0 else { throw TestFailure("mkdir \(name): errno \(errno)") }
    }

    public func makeLink(_ name: String, to target: String) throws {
        guard unsafe symlink(target, self.path(of: name)) == 0 else { throw TestFailure("symlink \(name): errno \(errno)") }
    }

    /// Sets the time of change in seconds since 1970.
    public func setModified(_ name: String, _ seconds: Int) {
        var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        _ = unsafe utimensat(AT_FDCWD, self.path(of: name), &times, 0)
    }

    /// The names without a leading dot, as bytes and sorted.
    public var visibleNames: [[UInt8]] {
        FileBytes.names(in: self.path).filter { $0.first != 0x2E }
    }

    /// The same as text, for messages and ASCII names.
    public var visibleTexts: [String] {
        self.visibleNames.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Every file at any depth, hidden ones too, with its size in bytes: what an upload may have left behind.
    public var allFiles: [String: Int] {
        var found: [String: Int] = [:]
        self.collect(below: "", into: &found)
        return found
    }

    private func collect(below prefix: String, into found: inout [String: Int]) {
        for bytes in FileBytes.names(in: self.path + "/" + prefix) {
            let name = prefix + String(decoding: bytes, as: UTF8.self)
            var status = stat()
            guard unsafe lstat(self.path(of: name), &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                self.collect(below: name + "/", into: &found)
            } else {
                found[name] = Int(status.st_size)
            }
        }
    }

    private static func remove(_ path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            for name in FileBytes.names(in: path) { self.remove(path + "/" + String(decoding: name, as: UTF8.self)) }
            _ = unsafe rmdir(path)
        } else {
            _ = unsafe unlink(path)
        }
>>>>>>> e2e
    }
}
