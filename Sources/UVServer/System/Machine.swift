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
