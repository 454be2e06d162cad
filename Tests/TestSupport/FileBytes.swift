internal import Glibc

/// Whole files as bytes, and nothing cleverer.
public enum FileBytes {
    /// The content of the file, or nil when it cannot be opened. Works for `/proc` as well.
    public static func read(_ path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return count == 0 ? content : nil }
            content.append(contentsOf: buffer[..<count])
        }
    }

    /// Makes or replaces the file.
    public static func write(_ bytes: [UInt8], to path: String) throws {
        try self.write(bytes, to: [UInt8](path.utf8))
    }

    /// The same for a path that need not be UTF-8.
    public static func write(_ bytes: [UInt8], to path: [UInt8]) throws {
        let terminated = path.map { CChar(bitPattern: $0) } + [0]
        let descriptor = unsafe open(terminated, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw TestFailure("cannot make \(path): errno \(errno)") }
        defer { _ = close(descriptor) }
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done) }
            guard count > 0 else { throw TestFailure("cannot write \(path): errno \(errno)") }
            done += count
        }
    }

    /// The names in a folder, as bytes, sorted; `.` and `..` left out. Empty when the folder cannot be read.
    public static func names(in folder: String) -> [[UInt8]] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { _ = unsafe closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: UInt8.self, capacity: 256) {
                    unsafe [UInt8](UnsafeBufferPointer(start: $0, count: strnlen($0, 256)))
                }
            }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
