internal import Glibc
internal import Synchronization
internal import UVServer

/// One at a time for each name in a folder: whoever looks at a file and then replaces or deletes it does both in one step, as far as
/// the processes go that share the state folder. On a file system without locks, or without room for the file of the locks, it is as far
/// as this process goes.
final class NameLock: Sendable {
    private final class Stripe: Sendable {
        let mutex = Mutex(())
    }

    /// Names are told apart by a hash here, so that two of them may share a stripe, but no name has two.
    private static let stripes = (0..<64).map { _ in Stripe() }

    /// The file in the state folder. It holds nothing.
    static let fileName = Array("names.lock".utf8)

    /// `nil` where nothing is written.
    private let state: Folder?
    /// `nil` until there was room to make it.
    private let file: PosixMutex<LockFile?>

    /// - Parameter state: `nil` where nothing is written.
    /// - Throws: `UVError` when the file cannot be opened, but for a disk that is full.
    init(state: Folder?) throws(UVError) {
        self.state = state
        self.file = PosixMutex(try Self.open(in: state))
    }

    /// - Returns: `nil` also on a full disk: what is there must be seen and deleted all the same.
    private static func open(in state: Folder?) throws(UVError) -> LockFile? {
        guard let state else { return nil }
        do throws(UVError) { return try LockFile(Self.fileName, in: state) } catch {
            guard [-ENOSPC, -EDQUOT].contains(error.code) else { throw error }
            return nil
        }
    }

    /// `nil` where this process is alone, or where nobody can make the file.
    private func opened() throws(UVError) -> LockFile? {
        try self.file.withLock { file in
            Result { () throws(UVError) -> LockFile? in
                if file == nil { file = try Self.open(in: self.state) }
                return file
            }
        }.get()
    }

    /// Runs `body` while nobody else runs theirs for the name, in whichever normal form it is spelled. Blocks.
    /// - Throws: also when it cannot be told whether somebody does.
    func hold<Value: Sendable>(
        _ name: [UInt8], in folder: Folder, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let (offset, stripe) = Self.place(of: name, in: folder)
        // The mutex cannot hold a typed throw, so the result comes out as a value.
        return try stripe.mutex.withLock { _ in
            Result { () throws(StoreError) -> Value in
                let file: LockFile?
                let isLocked: Bool
                do throws(UVError) {
                    file = try self.opened()
                    isLocked = try file?.lock(offset) ?? false
                } catch {
                    throw Self.failure(error)
                }
                defer { if isLocked { file?.unlock(offset) } }
                return try body()
            }
        }.get()
    }

    /// The same, but at once or not at all.
    /// - Returns: `nil` when somebody holds the name.
    func holdNow<Value: Sendable>(
        _ name: [UInt8], in folder: Folder, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        let (offset, stripe) = Self.place(of: name, in: folder)
        let outcome = stripe.mutex.withLockIfAvailable { _ in
            Result { () throws(StoreError) -> Value? in
                let file: LockFile?
                let attempt: LockFile.Attempt
                do throws(UVError) {
                    file = try self.opened()
                    attempt = try file?.tryLock(offset) ?? .unsupported
                } catch {
                    throw Self.failure(error)
                }
                guard attempt != .held else { return nil }
                defer { if attempt == .locked { file?.unlock(offset) } }
                return try body()
            }
        }
        guard let outcome else { return nil }
        return try outcome.get()
    }

    /// What a lock that cannot be taken means: nothing that is missing or taken is meant by it.
    private static func failure(_ error: UVError) -> StoreError {
        let meaning = StoreError(error)
        return meaning == .diskFull || meaning == .forbidden ? meaning : .io(error)
    }

    private static func place(of name: [UInt8], in folder: Folder) -> (Int64, Stripe) {
        let offset = self.offset(Normalization.composed(name) ?? name, in: folder.identity)
        return (offset, self.stripes[Int(offset % Int64(self.stripes.count))])
    }

    /// The same in every process, so no `Hasher`, and on every machine, so without the device's number: FNV-1a of 62 bits.
    static func offset(_ name: [UInt8], in folder: FileIdentity) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for shift in stride(from: UInt64(0), to: 64, by: 8) { hash = (hash ^ (folder.inode >> shift & 0xFF)) &* 0x100_0000_01B3 }
        for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int64(hash >> 2)
    }
}
