internal import CUV
internal import Glibc

/// What the server needs to know of the machine it runs on.
public enum Machine {
    /// The machine's name, as `hostname` prints it.
    public static var name: String {
        var buffer = [CChar](repeating: 0, count: 256)
        var size = buffer.count
        guard unsafe uv_os_gethostname(&buffer, &size) == 0 else { return "localhost" }
        return String(decoding: buffer.prefix(size).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// What the machine's clocks on the wall showed at a moment in UTC, as if they were in UTC too. Both count from 1970.
    public static func wallSeconds(at seconds: Int64) -> Int64 {
        var moment = time_t(seconds)
        var parts = unsafe tm()
        // Fails for years that an Int32 cannot count.
        guard unsafe localtime_r(&moment, &parts) != nil else { return seconds }
        return unsafe seconds &+ Int64(parts.tm_gmtoff)
    }

    /// Whether the kernel is of this version or a later one.
    public static func hasKernel(_ major: Int, _ minor: Int) -> Bool {
        var name = uv_utsname_t()
        guard unsafe uv_os_uname(&name) == 0 else { return false }
        let release = unsafe withUnsafeBytes(of: &name.release) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return self.isRelease(release, atLeast: (major, minor))
    }

    /// Of a release like `6.1.0-18-amd64` the first two numbers count.
    static func isRelease(_ release: String, atLeast version: (Int, Int)) -> Bool {
        let numbers = release.split(separator: ".").prefix(2).map { Int($0.prefix { $0.isNumber }) }
        guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return false }
        return (major, minor) >= version
    }

    /// How much has been written to files of any kind that no disk has yet, in bytes; `nil` where the system does not tell.
    public static func unwrittenBytes() -> Int64? {
        guard let file = unsafe fopen("/proc/meminfo", "r") else { return nil }
        defer { unsafe fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4 << 10)
        let count = unsafe fread(&buffer, 1, buffer.count, file)
        return self.unwrittenBytes(in: buffer.prefix(count))
    }

    /// `Dirty` and `Writeback` of proc(5)'s meminfo, which counts in KiB.
    static func unwrittenBytes(in meminfo: ArraySlice<UInt8>) -> Int64? {
        var found: [Int64] = []
        for line in meminfo.split(separator: UInt8(ascii: "\n")) {
            guard line.starts(with: "Dirty:".utf8) || line.starts(with: "Writeback:".utf8) else { continue }
            let digits = line.filter { ($0 ^ 0x30) <= 9 }
            guard let kib = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
            found.append(kib << 10)
        }
        return found.count == 2 ? found[0] + found[1] : nil
    }

    /// The domains in which the machine looks up names that have none (`search` of resolv.conf(5)). Reads a small local file.
    public static var searchDomains: [String] {
        guard let file = unsafe fopen("/etc/resolv.conf", "r") else { return [] }
        defer { unsafe fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = unsafe fread(&buffer, 1, buffer.count, file)
        return self.searchDomains(in: String(decoding: buffer.prefix(count), as: UTF8.self))
    }

    /// The last `search` or `domain` line counts.
    static func searchDomains(in text: String) -> [String] {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.split { $0 == " " || $0 == "\t" } }
        let last = lines.last { $0.first == "search" || $0.first == "domain" }
        return last?.dropFirst().map { $0.hasSuffix(".") ? String($0.dropLast()) : String($0) }.filter { !$0.isEmpty } ?? []
    }
}
