internal import CUV
internal import Glibc

/// An answer that is made faster than it is read: small ones stay in memory, larger ones wait in a file without a name, so that a
/// client that does not read costs a descriptor and not the answer's size. All calls block.
public struct Spool: ~Copyable, Sendable {
    /// What was appended, ready to be sent. It counts as long as its share is held.
    public enum Content: ~Copyable, Sendable {
        case bytes([UInt8], SpoolRoom.Share)
        /// Open for reading from 0; it has no name, and closing it frees its space.
        case file(OwnedFile, length: Int64, SpoolRoom.Share)
    }

    /// The most that is kept in memory, in bytes.
    public static let memoryBytes = 256 << 10

    private let folder: Folder?
    private let share: SpoolRoom.Share
    private var bytes: [UInt8] = []
    private var file: OwnedFile?
    private var written: Int64 = 0

    /// - Parameters:
    ///   - folder: where the file is made; `nil`: in memory that belongs to no file system (`memfd_create`).
    ///   - room: shared with other spools. Where it does not suffice: `EBUSY`.
    public init(in folder: Folder?, room: SpoolRoom) {
        self.folder = folder
        self.share = SpoolRoom.Share(room)
    }

    /// - Throws: `ENOSPC` and its like from the folder's file system, `EBUSY`. The spool can only be dropped then.
    public mutating func append(_ more: [UInt8]) throws(UVError) {
        self.bytes += more
        if self.bytes.count > Self.memoryBytes { try self.flush() }
    }

    /// - Throws: as `append`.
    public consuming func finish() throws(UVError) -> Content {
        // What memory has no room for may still find some on the disk.
        if self.file == nil, self.share.take(Int64(self.bytes.count), inMemory: true) { return .bytes(self.bytes, self.share) }
        try self.flush()
        guard let file = self.file.take() else { preconditionFailure("flush keeps the file") }
        return .file(file, length: self.written, self.share)
    }

    private mutating func flush() throws(UVError) {
        guard self.share.take(Int64(self.bytes.count), inMemory: self.folder == nil) else {
            throw UVError(code: -EBUSY, call: "spool")
        }
        let file: OwnedFile
        if let made = self.file.take() { file = made } else { file = try Self.make(in: self.folder) }
        try file.write(self.bytes.span, at: self.written)
        self.written += Int64(self.bytes.count)
        self.bytes.removeAll(keepingCapacity: true)
        self.file = consume file
    }

    private static func make(in folder: Folder?) throws(UVError) -> OwnedFile {
        if let folder { return try TemporaryFile(in: folder, spare: nil).file.duplicate() }
        return OwnedFile(owning: try checkErrno(shim_memory_file(), "memfd_create"))
    }
}
