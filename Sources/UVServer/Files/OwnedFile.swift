internal import CUV
internal import Glibc

/// An open descriptor with one owner: closed exactly once, when the value goes.
public struct OwnedFile: ~Copyable, Sendable {
    /// The number the kernel knows it by. Valid as long as this value lives.
    public let descriptor: CInt

    /// Takes over `descriptor`; nobody else may close it from now on.
    public init(owning descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Gives up ownership: the caller closes the descriptor.
    public consuming func release() -> CInt {
        let descriptor = self.descriptor
        discard self
        return descriptor
    }

    /// A second descriptor of the same open file.
    public func duplicate() throws(UVError) -> OwnedFile {
        OwnedFile(owning: try checkErrno(shim_duplicate(self.descriptor), "fcntl"))
    }

    /// What `fstat` says now.
    public func status() throws(UVError) -> FileStatus {
        var raw = stat()
        try checkErrno(unsafe fstat(self.descriptor, &raw), "fstat")
        return FileStatus(raw)
    }

    /// What the kernel knows of it without asking a file system that may not answer. What kind of thing it is, and which, never changes.
    func knownStatus() throws(UVError) -> FileStatus {
        var raw = stat()
        try checkErrno(unsafe shim_known_status(self.descriptor, "", 0x1000, &raw), "statx")
        return FileStatus(raw)
    }

    /// Writes all of `bytes` at `offset`.
    public func write(_ bytes: Span<UInt8>, at offset: Int64) throws(UVError) {
        var done = 0
        while done < bytes.count {
            let rest = bytes.extracting(done..<bytes.count)
            let (position, overflow) = offset.addingReportingOverflow(Int64(done))
            guard !overflow, position >= 0 else { throw UVError(code: -EFBIG, call: "pwrite") }
            let count = unsafe rest.withUnsafeBufferPointer { buffer in
                unsafe pwrite(self.descriptor, buffer.baseAddress, buffer.count, off_t(position))
            }
            guard count > 0 else {
                let code = count == 0 ? EIO : errno
                if code == EINTR { continue }
                throw UVError(code: -code, call: "pwrite")
            }
            done += count
        }
    }

    /// Makes sure that its file system has room for `bytes` more and `kept` beside. Where that cannot be told, there is.
    /// - Throws: `ENOSPC`.
    public func requireRoom(for bytes: Int64, keepingFree kept: Int64) throws(UVError) {
        let (needed, overflow) = bytes.addingReportingOverflow(kept)
        guard !overflow, shim_free_bytes(self.descriptor) >= UInt64(max(0, needed)) else {
            throw UVError(code: -ENOSPC, call: "fstatvfs")
        }
    }

    /// Makes sure that its file system can hold one file more. Where that cannot be told, it can.
    /// - Throws: `ENOSPC`.
    public func requireRoomForFile() throws(UVError) {
        guard shim_has_free_files(self.descriptor) != 0 else { throw UVError(code: -ENOSPC, call: "fstatvfs") }
    }

    /// Appends the range to `bytes` if all of it is in the page cache; `false`, with nothing appended, if it is not, if the file ends
    /// before, or if its file system cannot tell. Never waits for a disk.
    public func appendCached(offset: Int64, length: Int, to bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: length))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe shim_read_cached(self.descriptor, buffer.baseAddress! + start, length, offset)
        }
        guard count == length else {
            bytes.removeLast(length)
            return false
        }
        return true
    }

    /// Waits until the content and the metadata are on the disk. After a failure the pages may be marked clean: never retry.
    public func sync() throws(UVError) {
        try checkErrno(fsync(self.descriptor), "fsync")
    }

    /// As `sync`, without the metadata that reading the content does not need.
    public func syncData() throws(UVError) {
        try checkErrno(fdatasync(self.descriptor), "fdatasync")
    }

    deinit { _ = Glibc.close(self.descriptor) }
}

/// `bytes` as a C string. The bytes hold no NUL.
func cString(_ bytes: [UInt8]) -> [CChar] {
    bytes.map { CChar(bitPattern: $0) } + [0]
}
