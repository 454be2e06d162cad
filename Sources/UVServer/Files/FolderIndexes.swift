internal import Glibc

/// The indexes of the folders that were asked for lately, kept true by watching them: asked again, a folder is not read again, only what
/// has changed in it is looked at.
///
/// What an index says was true at some moment after it was asked for. It is kept for a while and not for ever, because some changes are
/// told to nobody (see ``FolderWatcher``). What can be seen to be such (folders, symlinks, files with several names) is looked at each
/// time. On file systems that others write to, and where watches are used up, nothing is kept.
///
/// A folder is known by what it is, not by its path: one that can be spelled in many ways is read once all the same.
@EventLoop public final class FolderIndexes {
    /// What is kept, and for how long.
    public struct Limits: Sendable {
        public var folders = 64
        /// Of all indexes together.
        public var bytes = 24 << 20
        /// From the moment it was made.
        public var age: Duration = .seconds(300)
        /// From the moment it was last asked for.
        public var idle: Duration = .seconds(60)
        /// So many changed names, and more than a quarter of the folder, and it is read anew.
        public var changes = 1024

        public init() {}
    }

    /// What a folder that is asked for is: where it is, as opened just now.
    public struct Opened: Sendable {
        public let folder: Folder
        /// The names from the root to it, as they are on disk.
        public let elements: [[UInt8]]

        public init(_ folder: Folder, elements: [[UInt8]]) {
            self.folder = folder
            self.elements = elements
        }
    }

    /// One folder that is watched.
    private final class Kept {
        let isRoot: Bool
        let madeAt: Duration
        var usedAt: Duration
        var watch: FolderWatcher.Watch?
        var snapshot: FolderSnapshot?
        /// Names that something has happened to since they were looked at.
        var changed: Set<[UInt8]> = []
        /// Not to be trusted any more.
        var isLost = false

        init(isRoot: Bool, at now: Duration) {
            self.isRoot = isRoot
            (self.madeAt, self.usedAt) = (now, now)
        }
    }

    private let root: Folder
    private let watcher: FolderWatcher?
    private let limits: Limits
    private let shows: @Sendable (_ name: Span<UInt8>, _ isInRoot: Bool) -> Bool
    private var kept: [FileIdentity: Kept] = [:]
    private let runs = Coalescer<FileIdentity, Result<FolderSnapshot, UVError>>()
    private var timer: LoopTimer?
    /// How often a folder was read.
    private(set) var reads = 0

    /// - Parameters:
    ///   - root: what symlinks have to stay beneath.
    ///   - watcher: `nil`: every folder is read each time.
    ///   - shows: which names are in the indexes, those in the root and those below; runs on any thread.
    public init(
        root: Folder, watcher: FolderWatcher?, limits: Limits = Limits(),
        shows: @escaping @Sendable (_ name: Span<UInt8>, _ isInRoot: Bool) -> Bool
    ) {
        self.root = root
        self.watcher = watcher
        self.limits = limits
        self.shows = shows
    }

    isolated deinit { self.timer?.stop() }

    /// How many are kept.
    public var count: Int { self.kept.count }

    /// The index of a folder, as it was at some moment after the call. Those who ask for the same one meanwhile share it.
    /// - Parameter open: opens it.
    /// - Throws: as `open`, and what reading a folder may fail with.
    public func current(open: @EventLoop () async throws(UVError) -> Opened) async throws(UVError) -> FolderSnapshot {
        let place: Opened
        do throws(UVError) { place = try await open() } catch {
            // It may have gone just now, and its index with it.
            self.watcher?.deliverPending()
            throw error
        }
        return try await self.runs.value(for: place.folder.identity) {
            do throws(UVError) { return .success(try await self.find(place)) } catch { return .failure(error) }
        }.get()
    }

    /// Lets go of what was made of the indexes.
    public func forgetMade() {
        for kept in self.kept.values { kept.snapshot?.made = [:] }
    }

    private func find(_ place: Opened) async throws(UVError) -> FolderSnapshot {
        let identity = place.folder.identity
        self.watcher?.deliverPending()
        let now = LoopClock.now
        if let kept = self.kept[identity], !kept.isLost, now - kept.madeAt < self.limits.age {
            kept.usedAt = now
            return try await self.update(kept, place)
        }
        self.kept[identity] = nil
        return try await self.make(place, at: now)
    }

    private func make(_ place: Opened, at now: Duration) async throws(UVError) -> FolderSnapshot {
        let identity = place.folder.identity
        let isRoot = identity == self.root.identity
        let kept = Kept(isRoot: isRoot, at: now)
        // Watched before it is read: what happens meanwhile is looked at afterwards.
        if place.folder.isLocal {
            // Without a watch, it is read each time.
            kept.watch = try? self.watcher?.watch(place.folder.file) { [weak kept, weak self] event in
                if let kept { self?.note(event, kept) }
            }
        }
        self.reads += 1
        let (root, shows) = (self.root, self.shows)
        let index = try await BlockingWork.run(.list) { () throws(UVError) in
            try place.folder.index(place.elements, beneath: root) { shows($0, isRoot) }
        }
        kept.snapshot = FolderSnapshot(index)
        self.watcher?.deliverPending()
        let snapshot = try await self.update(kept, place)
        guard kept.watch != nil, !kept.isLost, snapshot.index.memoryBytes <= self.limits.bytes else { return snapshot }
        self.kept[identity] = kept
        self.evict(but: identity)
        if self.timer == nil { self.timer = LoopTimer(every: .seconds(10)) { [weak self] in self?.dropIdle() } }
        return snapshot
    }

    /// Looks at what may have changed. One at a time for each folder.
    private func update(_ kept: Kept, _ place: Opened) async throws(UVError) -> FolderSnapshot {
        do throws(UVError) { return try await self.lookAgain(kept, place) } catch {
            // What was told has been taken and not looked at.
            self.lose(kept)
            throw error
        }
    }

    private func lookAgain(_ kept: Kept, _ place: Opened) async throws(UVError) -> FolderSnapshot {
        guard let old = kept.snapshot else { preconditionFailure("what is kept has been made") }
        let changed = kept.changed
        kept.changed = []
        if changed.isEmpty, old.index.looseCount == 0 { return old }
        let (root, index) = (self.root, old.index)
        // A few names are no longer work than opening a file.
        let lane: BlockingWork.Lane = changed.count + index.looseCount < 256 ? .open : .list
        let (updated, isOther) = try await BlockingWork.run(lane) { () throws(UVError) -> (FolderIndex, Bool) in
            var updated = index
            let names = changed.union(index.looseNames)
            let isOther = try updated.apply(place.folder.look(at: names, place.elements, beneath: root))
            return (updated, isOther)
        }
        let snapshot = FolderSnapshot(updated, made: isOther ? [:] : old.made)
        kept.snapshot = snapshot
        return snapshot
    }

    private func note(_ event: FolderEvent, _ kept: Kept) {
        switch event.kind {
        case .gone, .lost: self.lose(kept)
        case .nameAppeared, .nameVanished, .contentChanged, .attributesChanged:
            guard !event.name.isEmpty, self.shows(event.name.span, kept.isRoot) else { return }
            kept.changed.insert(event.name)
            let many = max(self.limits.changes, (kept.snapshot?.index.count ?? 0) / 4)
            if kept.changed.count > many { self.lose(kept) }
        }
    }

    private func lose(_ kept: Kept) {
        kept.isLost = true
        kept.changed = []
        kept.watch?.cancel()
        guard let identity = self.kept.first(where: { $0.value === kept })?.key else { return }
        self.kept[identity] = nil
    }

    /// Keeps to the limits by dropping what was not asked for longest.
    private func evict(but identity: FileIdentity) {
        func bytes() -> Int { self.kept.values.reduce(0) { $0 + ($1.snapshot?.index.memoryBytes ?? 0) } }
        while self.kept.count > self.limits.folders || bytes() > self.limits.bytes {
            let oldest = self.kept.filter { $0.key != identity }.min { $0.value.usedAt < $1.value.usedAt }
            guard let oldest else { return }
            self.kept[oldest.key] = nil
        }
    }

    /// Drops what nobody asks for.
    private func dropIdle() {
        let now = LoopClock.now
        self.kept = self.kept.filter { now - $0.value.usedAt < self.limits.idle && now - $0.value.madeAt < self.limits.age }
        guard self.kept.isEmpty else { return }
        self.timer?.stop()
        self.timer = nil
    }
}
