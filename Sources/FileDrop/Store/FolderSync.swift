internal import UVServer

/// Syncs folders for many uploads at once: one fsync covers every name that was given before it began.
@EventLoop final class FolderSync {
    /// What a waiting upload is told.
    private enum Turn: Sendable {
        case done(Result<Void, UVError>)
        /// The fsync that ran began too early for this one; the next is its to run.
        case lead
    }

    private typealias Waiter = CheckedContinuation<Turn, Never>

    /// Folders that are being synced, and who waits for the next fsync. A folder is known by identity.
    private var waiting: [FileIdentity: [Waiter]] = [:]
    private let run: @Sendable (Folder) async -> Result<Void, UVError>

    /// How many times a folder was synced.
    private(set) var rounds = 0

    init() {
        self.run = { folder in
            do throws(UVError) {
                try await BlockingWork.run(.sync) { () throws(UVError) in try folder.sync() }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }

    /// With another way to sync, for tests.
    init(run: @escaping @Sendable (Folder) async -> Result<Void, UVError>) {
        self.run = run
    }

    /// How many wait for the next fsync of `folder`.
    func waitingCount(_ folder: Folder) -> Int { self.waiting[folder.identity]?.count ?? 0 }

    /// Returns once every name that `folder` had at the call is on the disk.
    func sync(_ folder: Folder) async throws(UVError) {
        let key = folder.identity
        let turn = await withCheckedContinuation { (waiter: Waiter) in
            // Who finds nobody leads. Found and taken in one step: a task from outside may be suspended before and after it.
            if self.waiting[key] == nil {
                self.waiting[key] = []
                waiter.resume(returning: .lead)
            } else {
                self.waiting[key]?.append(waiter)
            }
        }
        switch turn {
        case .done(let result): return try result.get()
        case .lead: break
        }
        let covered = self.waiting[key] ?? []
        self.waiting[key] = []
        self.rounds += 1
        let result = await self.run(folder)
        for waiter in covered { waiter.resume(returning: .done(result)) }
        var next = self.waiting[key] ?? []
        if next.isEmpty {
            self.waiting[key] = nil
        } else {
            let leader = next.removeFirst()
            self.waiting[key] = next
            leader.resume(returning: .lead)
        }
        try result.get()
    }
}
