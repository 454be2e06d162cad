internal import CZlib

/// CRC-32 as zip, gzip and Ethernet have it.
enum Checksum {
    /// - Parameter start: what came before; 0 for nothing.
    /// - Precondition: `bytes` holds less than 4 GiB.
    static func crc32(_ bytes: UnsafeRawBufferPointer, after start: UInt32) -> UInt32 {
        guard let base = bytes.baseAddress else { return start }
        return unsafe UInt32(
            truncatingIfNeeded: CZlib.crc32(
                UInt(start), base.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count)))
    }
}
