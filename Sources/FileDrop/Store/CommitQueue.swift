internal import UVServer

/// Stores uploads that have arrived, all that wait at a time: a file system writes its journal once for all of them, and a disk empties
/// its cache once.
///
/// A batch goes through four steps, each for all its files before the next begins: what is in memory is written; that is synced; all get
/// their names; files and folders are synced. Only then is anyone answered, but for those who have to wait for a name. While a batch is
/// under way the next one gathers. A device has one batch at a time: two at once were not faster, and made smaller ones.
@EventLoop final class CommitQueue {
    private struct Waiting {
        let commit: Commit
        let done: CheckedContinuation<Result<[StoredUpload], StoreError>, Never>
    }

    /// How many files are synced at once where each is synced for itself.
    private static let parallelSyncs = 4

    private let durability: Durability
    private let disk: DiskSync
    /// The next batch of each device that has one under way.
    private var gathering: [UInt64: [Waiting]] = [:]

    init(durability: Durability, disk: DiskSync) {
        self.durability = durability
        self.disk = disk
    }

    /// Stores the files of one request, in their order. When one fails none stays, but for those that have replaced an older file.
    /// - Parameter files: all for one folder.
    /// - Throws: as `UploadFile.publish`.
    func store(_ files: [FinishedUpload], onDuplicate policy: DuplicatePolicy) async throws(StoreError) -> [StoredUpload] {
        guard let device = files.first?.device else { return [] }
        let commit = Commit(files, onDuplicate: policy)
        return try await withCheckedContinuation { done in
            if self.gathering[device] == nil {
                self.gathering[device] = []
                EventLoop.spawn { await self.runBatches(of: device) }
            }
            self.gathering[device]?.append(Waiting(commit: commit, done: done))
        }.get()
    }

    /// One batch after the other, until nobody waits.
    private func runBatches(of device: UInt64) async {
        repeat {
            // Who was answered just now, and whoever else has sent a whole upload by now, comes along.
            await EventLoop.nextTurn()
            let batch = self.gathering.updateValue([], forKey: device) ?? []
            let outcomes = await self.run(batch.map(\.commit))
            for (waiting, outcome) in zip(batch, outcomes) {
                switch outcome {
                case .done(let result): waiting.done.resume(returning: result)
                case .held(let commit): EventLoop.spawn { waiting.done.resume(returning: await self.wait(commit)) }
                }
            }
        } while self.gathering[device]?.isEmpty == false
        self.gathering[device] = nil
    }

    /// Publishes one that needs a name which somebody holds, or takes such a name back. That may be another process that is stopped, so no
    /// batch waits with it.
    private func wait(_ commit: Commit) async -> Result<[StoredUpload], StoreError> {
        let (disk, keepsNames) = (self.disk, self.durability == .full)
        let outcomes = await BlockingWork.run(.name) {
            let named = Commit.publish([commit], waits: true)
            guard keepsNames else { return Commit.settle(named, waits: true) }
            let (synced, isKept) = Commit.keepTogether(named, disk)
            return Commit.settle(isKept ? synced : Commit.keepEach(synced, disk), waits: true)
        }
        guard case .done(let result) = outcomes[0] else { preconditionFailure("a commit that waits for names is held") }
        return result
    }

    private func run(_ commits: [Commit]) async -> [Commit.Outcome] {
        guard let depth = self.durability.depth else {
            return await BlockingWork.run(.commit) {
                Commit.settle(Commit.publish(Commit.write(commits), waits: false), waits: false)
            }
        }
        let disk = self.disk
        let written = await BlockingWork.run(.commit) { Commit.write(commits) }
        let synced = await self.sync(written, depth)
        guard self.durability == .full else {
            return await BlockingWork.run(.commit) { Commit.settle(Commit.publish(synced, waits: false), waits: false) }
        }
        let (named, outcomes) = await BlockingWork.run(.commit) { () -> ([Commit], [Commit.Outcome]?) in
            let (named, isKept) = Commit.keepTogether(Commit.publish(synced, waits: false), disk)
            return (named, isKept ? Commit.settle(named, waits: false) : nil)
        }
        if let outcomes { return outcomes }
        let kept = await self.syncEach(\.named, of: named, .full)
        return await BlockingWork.run(.commit) { Commit.settle(Commit.keepNames(kept, disk), waits: false) }
    }

    /// Syncs what has just been written; a commit with a file that could not be synced has failed.
    private func sync(_ written: [Commit], _ depth: TemporaryFile.SyncDepth) async -> [Commit] {
        let files = written.flatMap(\.unsynced)
        guard let first = files.first else { return written }
        let disk = self.disk
        if files.count >= DiskSync.manyFiles {
            // Whose failure it is only their own syncs tell. None has been synced for itself yet, so that is no second try.
            let isDone = try? await BlockingWork.run(.commit) { () throws(UVError) in
                try disk.fileSystem(first.folder, files.count)
            }
            if isDone == true { return written }
        }
        return await self.syncEach(\.unsynced, of: written, depth)
    }

    /// Syncs each of the files for itself, several at once.
    private func syncEach(
        _ which: (Commit) -> [UploadFile], of commits: [Commit], _ depth: TemporaryFile.SyncDepth
    ) async -> [Commit] {
        let disk = self.disk
        let files = commits.enumerated().flatMap { (index, commit) in which(commit).map { (commit: index, file: $0) } }
        let share = max(1, (files.count + Self.parallelSyncs - 1) / Self.parallelSyncs)
        let syncs = stride(from: 0, to: files.count, by: share).map { start in
            let part = files[start..<min(start + share, files.count)].map(\.file)
            return EventLoop.spawn {
                await BlockingWork.run(.commit) { part.map { file in Self.failure(of: file, depth, disk) } }
            }
        }
        var failures: [UVError?] = []
        for sync in syncs { failures += await sync.value }
        var synced = commits
        for (file, failure) in zip(files, failures) {
            if let failure { synced[file.commit].fail(StoreError(failure)) }
        }
        return synced
    }

    private nonisolated static func failure(of file: UploadFile, _ depth: TemporaryFile.SyncDepth, _ disk: DiskSync) -> UVError? {
        do throws(UVError) {
            try disk.file(file, depth)
            return nil
        } catch {
            return error
        }
    }
}
