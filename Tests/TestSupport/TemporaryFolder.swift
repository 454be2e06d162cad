internal import Glibc

/// A real, empty folder that goes with all its content when this object goes. Names are text here; compare them as UTF-8
/// bytes where the form matters.
public final class TemporaryFolder: Sendable {
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

    // MARK: Making

    public func write(_ name: String, _ bytes: [UInt8]) throws {
        try FileBytes.write(bytes, to: self.path(of: name))
    }

    public func write(_ name: String, _ text: String) throws {
        try self.write(name, [UInt8](text.utf8))
    }

    public func makeFolder(_ name: String) throws {
        guard unsafe mkdir(self.path(of: name), 0o755) == 0 else { throw TestFailure("mkdir \(name): errno \(errno)") }
    }

    /// A symlink called `name` that says `target`.
    public func makeLink(_ name: String, to target: String) throws {
        guard unsafe symlink(target, self.path(of: name)) == 0 else { throw TestFailure("symlink \(name): errno \(errno)") }
    }

    /// A file whose name need not be UTF-8.
    public func write(name: [UInt8], _ bytes: [UInt8]) throws {
        try FileBytes.write(bytes, to: [UInt8](self.path.utf8) + [UInt8(ascii: "/")] + name)
    }

    /// A socket that nobody listens at, and that stays when its maker has closed it.
    public func makeSocket(_ name: String) throws {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw TestFailure("socket: errno \(errno)") }
        defer { _ = close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = [UInt8](self.path(of: name).utf8)
        guard path.count < 108 else { throw TestFailure("\(name): too long for a socket") }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw TestFailure("bind \(name): errno \(errno)") }
    }

    /// A node of the device that `/dev/zero` is: whoever reads it to its end never ends.
    /// - Returns: whether this process may make one.
    public func makeDevice(_ name: String) -> Bool {
        unsafe mknod(self.path(of: name), S_IFCHR | 0o666, 1 << 8 | 5) == 0
    }

    public func makePipe(_ name: String) throws {
        guard unsafe mkfifo(self.path(of: name), 0o644) == 0 else { throw TestFailure("mkfifo \(name): errno \(errno)") }
    }

    public func remove(_ name: String) {
        Self.remove(self.path(of: name))
    }

    /// Sets the time of change in seconds since 1970.
    public func setModified(_ name: String, _ seconds: Int) {
        var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        _ = unsafe utimensat(AT_FDCWD, self.path(of: name), &times, 0)
    }

    // MARK: Looking

    /// The bytes of a file, or nil when there is none.
    public func read(_ name: String) -> [UInt8]? {
        FileBytes.read(self.path(of: name))
    }

    /// The same as text.
    public func text(_ name: String) -> String? {
        self.read(name).map { String(decoding: $0, as: UTF8.self) }
    }

    public func exists(_ name: String) -> Bool {
        Self.status(self.path(of: name)) != nil
    }

    /// Whether the name itself is a symbolic link.
    public func isLink(_ name: String) -> Bool {
        Self.status(self.path(of: name)).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
    }

    /// The permission bits of a file, or nil when there is none.
    public func mode(_ name: String) -> UInt32? {
        Self.status(self.path(of: name)).map { $0.st_mode & 0o7777 }
    }

    /// Every name in the folder or one below it, hidden ones too, sorted.
    public func names(_ folder: String = ".") -> [String] {
        FileBytes.names(in: self.path(of: folder)).map { String(decoding: $0, as: UTF8.self) }
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
    public var allFiles: [String: Int] { FolderContents.sizes(in: self.path) }

    /// How many descriptors this process has open on files beneath the folder, deleted and unnamed ones too.
    public func openDescriptors() -> Int {
        FileBytes.names(in: "/proc/self/fd").filter { name in
            var target = [UInt8](repeating: 0, count: 4096)
            let link = "/proc/self/fd/" + String(decoding: name, as: UTF8.self)
            let count = unsafe target.withUnsafeMutableBytes { bytes in
                unsafe readlink(link, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
            }
            return target.prefix(max(0, count)).starts(with: self.path.utf8)
        }.count
    }

    /// What lstat(2) says; nil when there is nothing of that name.
    private static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }

    private static func remove(_ path: String) {
        guard let status = self.status(path) else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            for name in FileBytes.names(in: path) { self.remove(path + "/" + String(decoding: name, as: UTF8.self)) }
            _ = unsafe rmdir(path)
        } else {
            _ = unsafe unlink(path)
        }
    }
}
