internal import Glibc
internal import UVServer

/// One at a time for each name in a folder: whoever looks at a file and then replaces or deletes it does both in one step, as far as
/// the processes go that share the state folder. On a file system without locks, or without room for the file of the locks, it is as far
/// as this process goes.
final class NameLock: Sendable {
    /// The names that somebody in this process holds, or waits for in other processes, by their offsets. Shared by all stores: each has a
    /// lock file of its own, which not every file system keeps apart.
    private static let names = KeyedLocks<Int64>()

    /// The file in the state folder. It holds nothing.
    static let fileName = Array("names.lock".utf8)

    /// `nil` where nothing is written.
    private let state: StatePlace?
    /// `nil` until there was room to make it.
    private let place: PosixMutex<LockPlace?>

    private struct StatePlace {
        let path: String
        let followsLink: Bool
        let isInPlace: @Sendable () -> Bool
    }

    /// - Parameters:
    ///   - state: the path of the state folder; `nil` where nothing is written.
    ///   - followsLink: whether that may be a link.
    ///   - isInPlace: whether the folder that it lies in is still the one that it was.
    /// - Throws: `UVError` when the file cannot be opened, but for a disk that is full.
    init(state: String?, followsLink: Bool, isInPlace: @escaping @Sendable () -> Bool) throws(UVError) {
        self.state = state.map { StatePlace(path: $0, followsLink: followsLink, isInPlace: isInPlace) }
        self.place = PosixMutex(try Self.open(in: self.state))
    }

    /// - Returns: `nil` also on a full disk: what is there must be seen and deleted all the same.
    private static func open(in state: StatePlace?) throws(UVError) -> LockPlace? {
        guard let state else { return nil }
        do throws(UVError) {
            return try LockPlace(
                Self.fileName, in: state.path, followsLink: state.followsLink, isInPlace: state.isInPlace)
        } catch {
            guard [-ENOSPC, -EDQUOT].contains(error.code) else { throw error }
            return nil
        }
    }

    /// `nil` where this process is alone, or where nobody can make the file.
    private func opened() throws(UVError) -> LockPlace? {
        // The mutex cannot hold a typed throw, so the result comes out as a value.
        try self.place.withLock { place in
            Result { () throws(UVError) -> LockPlace? in
                if place == nil { place = try Self.open(in: self.state) }
                return place
            }
        }.get()
    }

    /// Runs `body` while nobody else runs theirs for the name, in whichever normal form it is spelled. Blocks.
    /// - Throws: also when it cannot be told whether somebody does.
    func hold<Value: Sendable>(
        _ name: [UInt8], in folder: Folder, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let offset = Self.offset(ofAnySpelling: name, in: folder)
        Self.names.lock(offset)
        defer { Self.names.unlock(offset) }
        let file: LockFile?
        do throws(UVError) { file = try self.opened()?.lock(offset) } catch { throw Self.failure(error) }
        defer { file?.unlock(offset) }
        return try body()
    }

    /// The same, but at once or not at all.
    /// - Returns: `nil` when somebody holds the name.
    func holdNow<Value: Sendable>(
        _ name: [UInt8], in folder: Folder, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        let offset = Self.offset(ofAnySpelling: name, in: folder)
        guard Self.names.tryLock(offset) else { return nil }
        defer { Self.names.unlock(offset) }
        let attempt: LockPlace.Attempt?
        do throws(UVError) { attempt = try self.opened()?.tryLock(offset) } catch { throw Self.failure(error) }
        switch attempt {
        case .held: return nil
        case nil, .unsupported: return try body()
        case .locked(let file):
            defer { file.unlock(offset) }
            return try body()
        }
    }

    /// What a lock that cannot be taken means: nothing that is missing or taken is meant by it.
    private static func failure(_ error: UVError) -> StoreError {
        let meaning = StoreError(error)
        return meaning == .diskFull || meaning == .forbidden ? meaning : .io(error)
    }

    private static func offset(ofAnySpelling name: [UInt8], in folder: Folder) -> Int64 {
        self.offset(Normalization.composed(name) ?? name, in: folder.identity)
    }

    /// Two names with one offset wait for each other; of 62 bits, none meet by chance.
    ///
    /// The same in every process, so no `Hasher`, and on every machine, so without the device's number: FNV-1a of 62 bits.
    static func offset(_ name: [UInt8], in folder: FileIdentity) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for shift in stride(from: UInt64(0), to: 64, by: 8) { hash = (hash ^ (folder.inode >> shift & 0xFF)) &* 0x100_0000_01B3 }
        for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int64(hash >> 2)
    }
}
