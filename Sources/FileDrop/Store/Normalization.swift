internal import CUTF8Proc
internal import Glibc

/// Unicode normal forms (UAX #15) of names in UTF-8.
enum Normalization {
    /// Composed: how new names are stored. `nil` when `bytes` is not UTF-8.
    static func composed(_ bytes: [UInt8]) -> [UInt8]? {
        self.map(bytes, UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
    }

    /// Decomposed: how macOS used to store names. `nil` when `bytes` is not UTF-8.
    static func decomposed(_ bytes: [UInt8]) -> [UInt8]? {
        self.map(bytes, UTF8PROC_STABLE.rawValue | UTF8PROC_DECOMPOSE.rawValue)
    }

    /// The other spellings of `bytes` that a look-up may try, without `bytes` itself.
    static func alternatives(_ bytes: [UInt8]) -> [[UInt8]] {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return [] }
        return [self.composed(bytes), self.decomposed(bytes)].compactMap { $0 }.filter { $0 != bytes }
    }

    private static func map(_ bytes: [UInt8], _ options: UInt32) -> [UInt8]? {
        guard !bytes.isEmpty else { return [] }
        var result: UnsafeMutablePointer<UInt8>?
        let count = unsafe utf8proc_map(bytes, bytes.count, &result, utf8proc_option_t(rawValue: options))
        guard let mapped = unsafe result else { return nil }
        defer { unsafe free(mapped) }
        guard count >= 0 else { return nil }
        return unsafe [UInt8](UnsafeBufferPointer(start: mapped, count: count))
    }
}
