internal import Glibc
internal import UVServer

/// Makes an archive block by block from the list of what belongs into it. It holds that list, one open file and one block.
///
/// The length was announced before, and a checksum is only known when its file has been read. So a file that is not what it was when the
/// list was made ends the archive with `ESTALE`: what had been sent of it by then is no archive, and whoever takes it is to notice.
final class ArchiveMaker: Sendable {
    /// What goes out next: bytes, and behind them, of a large file, its content.
    struct Made: Sendable {
        let chunk: ByteChunk
        var file: (SharedFile, ByteSlice)?
    }

    /// Files from this size on go out by sendfile where nobody needs to look at their bytes; fewer are sooner read with others into one block.
    static let sentFileBytes: Int64 = 64 << 10

    /// Of the whole archive, in bytes.
    let length: Int64
    private let root: Folder
    private let start: [[UInt8]]
    // One thread at a time asks for a block, though not always the same.
    private let state: PosixMutex<State>

    /// - Parameters:
    ///   - plan: records of entries, whose paths begin in the folder that `start` leads to from `root`.
    ///   - length: what ``ArchiveLength`` says of them.
    init(_ plan: consuming Spool.Content, length: Int64, _ writer: any ArchiveWriter, root: Folder, start: [[UInt8]]) {
        self.length = length
        self.root = root
        self.start = start
        self.state = PosixMutex(State(entries: ArchivePlanReader(plan), writer: writer))
    }

    /// The next block; `nil` behind the last. The file of the one before must have been sent. Blocks.
    func next() throws(UVError) -> Made? {
        try self.state.withLock { state -> Result<Made?, UVError> in
            do throws(UVError) { return .success(try self.fill(&state)) } catch { return .failure(error) }
        }.get()
    }

    private struct State: Sendable {
        var entries: ArchivePlanReader
        var writer: any ArchiveWriter
        var part = Part.content
        /// What has not found room in a block yet.
        var held: [UInt8] = []
        var current: Current?
    }

    private enum Part {
        case content, directory, end
    }

    /// The file whose content comes next.
    private struct Current: Sendable {
        let entry: ArchiveEntry
        let file: SharedFile
        var done: Int64 = 0
        var checksum: UInt32 = 0
    }

    private func fill(_ state: inout State) throws(UVError) -> Made? {
        var block = ByteBlock()
        while state.held.count <= block.room {
            block.append(state.held)
            state.held = []
            if let current = state.current {
                let rest = ByteSlice(offset: current.done, length: current.entry.size - current.done)
                if rest.length == 0 {
                    try Self.requireSame(current.file, current.entry)
                    state.held = state.writer.end(current.entry, checksum: current.checksum)
                    state.current = nil
                } else if !state.writer.needsChecksums, rest.length >= Self.sentFileBytes {
                    state.current?.done = current.entry.size
                    return Made(chunk: block.finish(), file: (current.file, rest))
                } else if block.room > 0 {
                    state.current = try Self.read(current, into: &block, checks: state.writer.needsChecksums)
                } else {
                    break
                }
            } else if state.part == .end {
                return block.count > 0 ? Made(chunk: block.finish()) : nil
            } else {
                try self.advance(&state)
            }
        }
        return Made(chunk: block.finish())
    }

    private func advance(_ state: inout State) throws(UVError) {
        guard let entry = try state.entries.next() else {
            if state.part == .content, state.writer.hasDirectory {
                state.entries.rewind()
                state.part = .directory
            } else {
                state.held = state.writer.finish()
                state.part = .end
            }
            return
        }
        guard state.part == .content else {
            state.held = state.writer.list(entry)
            return
        }
        state.held = state.writer.begin(entry)
        if entry.size > 0 {
            state.current = Current(entry: entry, file: try self.open(entry))
        } else {
            state.held += state.writer.end(entry, checksum: 0)
        }
    }

    private static func read(_ current: Current, into block: inout ByteBlock, checks: Bool) throws(UVError) -> Current {
        var current = current
        let count = try block.read(current.file, at: current.done, limit: current.entry.size - current.done)
        guard count > 0 else { throw Self.changed }
        if checks { current.checksum = block.crc32(ofLast: count, after: current.checksum) }
        current.done += Int64(count)
        return current
    }

    private func open(_ entry: ArchiveEntry) throws(UVError) -> SharedFile {
        let elements = self.start + entry.path.split(separator: UInt8(ascii: "/")).map { [UInt8]($0) }
        let item: Folder.Item
        do throws(UVError) { item = try self.root.open(elements) } catch {
            guard error.isHeldByLease else { throw error }
            item = try self.root.openWaiting(elements)
        }
        guard case .file(let file, _) = consume item else { throw Self.changed }
        let shared = SharedFile(file, size: entry.size)
        try Self.requireSame(shared, entry)
        return shared
    }

    private static func requireSame(_ file: SharedFile, _ entry: ArchiveEntry) throws(UVError) {
        guard entry.isStill(try file.status()) else { throw self.changed }
    }

    private static let changed = UVError(code: -ESTALE, call: "fstat")
}
