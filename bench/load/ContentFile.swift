import Glibc
import UVServer

/// Files with content of a seed: made to be fetched, or compared after an upload. Blocks; for a program that does nothing else.
enum ContentFile {
    private static let pieceBytes: Int64 = 1 << 20

    /// - Throws: `UVError` when the file cannot be made or written.
    static func make(_ path: String, size: Int64, seed: UInt64) throws(UVError) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw UVError.last("open") }
        defer { _ = close(file) }
        let content = Content(seed: seed, name: path)
        var offset: Int64 = 0
        while offset < size {
            let bytes = content.bytes(at: offset, count: Int(min(Self.pieceBytes, size - offset)))
            let count = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw UVError.last("write") }
            offset += Int64(count)
        }
    }

    /// - Returns: the size of the file, and the offset of its first wrong byte.
    /// - Throws: `UVError` when the file cannot be read.
    static func check(_ path: String, seed: UInt64) throws(UVError) -> (size: Int64, wrong: Int64?) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw UVError.last("open") }
        defer { _ = close(file) }
        let content = Content(seed: seed, name: path)
        var buffer = [UInt8](repeating: 0, count: Int(Self.pieceBytes))
        var (offset, wrong): (Int64, Int64?) = (0, nil)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw UVError.last("read") }
            if count == 0 { return (offset, wrong) }
            if wrong == nil, let index = content.firstDifference(in: buffer.span.extracting(0..<count), at: offset) {
                wrong = offset + Int64(index)
            }
            offset += Int64(count)
        }
    }
}
