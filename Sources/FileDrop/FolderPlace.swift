internal import UVServer

/// The place that the drop folder was found at, and the store of the folder that is there: a disk can be unmounted and mounted again, a
/// folder removed and made anew. Somebody has to ask for that to be seen.
@EventLoop final class FolderPlace {
    /// What is served; while the folder is away, the store of the one that was there.
    private(set) var store: DropStore
    /// Whether requests for the folder's content are to be refused.
    private(set) var isAway = false

    /// Between two looks, unless the folder is away, which each request looks at. Also between two tries to open another folder.
    private static let pause = Duration.seconds(1)

    private let open: @EventLoop () async throws(StoreStartError) -> DropStore
    private let say: @EventLoop (String) -> Void
    private let now: @EventLoop () -> Duration
    private var nextLook = Duration.zero
    /// Others go on as they are while one request looks.
    private var isLooking = false
    /// Why the folder that is in the place now cannot be served.
    private var failure: StoreStartError?

    /// - Parameters:
    ///   - open: opens whatever folder is at the place.
    ///   - say: called with each change, for the log.
    init(
        _ store: DropStore, open: @escaping @EventLoop () async throws(StoreStartError) -> DropStore,
        say: @escaping @EventLoop (String) -> Void, now: @escaping @EventLoop () -> Duration = { LoopClock.now }
    ) {
        self.store = store
        self.open = open
        self.say = say
        self.now = now
    }

    /// Looks, if it is time to.
    /// - Returns: whether another store is served from now on.
    func look() async -> Bool {
        guard !self.isLooking, self.now() >= self.nextLook else { return false }
        self.isLooking = true
        defer { self.isLooking = false }
        let finding = await self.store.locate()
        guard finding == .replaced else {
            self.failure = nil
            self.nextLook = self.now() + (finding == .here ? Self.pause : .zero)
            self.setAway(finding == .away)
            return false
        }
        defer { self.nextLook = self.now() + Self.pause }
        do throws(StoreStartError) { self.store = try await self.open() } catch {
            self.isAway = true
            if self.failure != error {
                self.say("another folder is in the place of the one that was served; requests are answered with 503. \(error)")
            }
            self.failure = error
            return false
        }
        self.failure = nil
        self.isAway = false
        self.say("another folder is in the place of the one that was served, and is served now")
        return true
    }

    private func setAway(_ isAway: Bool) {
        guard isAway != self.isAway else { return }
        self.isAway = isAway
        self.say(
            isAway
                ? "the folder is not in its place; until it is, requests are answered with 503"
                : "the folder is in its place again")
    }
}
