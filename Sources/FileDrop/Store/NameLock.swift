internal import Synchronization
internal import UVServer

/// One at a time for each name in a folder: whoever looks at a file and then replaces or deletes it does both in one step, as far as
/// this process goes. Names are told apart by a hash, so that two of them may share a lock.
enum NameLock {
    private final class Stripe: Sendable {
        let mutex = Mutex(())
    }

    private static let stripes = (0..<64).map { _ in Stripe() }

    /// Runs `body` while nobody else runs theirs for the name, in whichever normal form it is spelled. Blocks.
    static func hold<Value: Sendable>(
        _ name: [UInt8], in folder: Folder, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        var hasher = Hasher()
        hasher.combine(folder.identity)
        hasher.combine(Normalization.composed(name) ?? name)
        let index = Int(UInt(bitPattern: hasher.finalize()) % UInt(self.stripes.count))
        // The mutex cannot hold a typed throw, so the result comes out as a value.
        return try self.stripes[index].mutex.withLock { _ in Result { () throws(StoreError) in try body() } }.get()
    }
}
