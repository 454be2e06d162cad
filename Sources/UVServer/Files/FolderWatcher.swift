internal import Glibc

/// Tells what happens in folders and to files, whoever does it: inotify(7) on the loop. libuv's own watcher drops three things that a
/// cache needs: that the queue has overflowed, which two events are one rename, and that a writer has closed its file.
///
/// The kernel queues an event before the system call that caused it returns. So whoever forgets what events name, and calls
/// ``deliverPending()`` before looking at what is left, never sees what was true before a call that has returned.
///
/// What it cannot tell: changes on file systems that others write to (network, FUSE); writes through a memory mapping, before the
/// writer closes the file; to the watch of a folder, what is written through a name of the same file in another folder. The watch of a
/// file knows that too.
@EventLoop public final class FolderWatcher {
    /// After events were delivered, the next ones wait so long, unless ``deliverPending()`` asks for them: a file that is being written
    /// would wake the loop for every piece.
    private static let pause: Duration = .milliseconds(100)

    /// So many full reads in a row, and someone makes events faster than they are told: what follows counts as lost, because the loop
    /// has others to serve. A full queue of the usual length, 16,384 events, takes 32 reads and, with long names, up to 280.
    private static let readsInARow = 64

    private var queue: InotifyQueue?
    private var timer: LoopTimer?
    /// Who is told, by the kernel's number of the watch. The kernel gives a number again only after two thousand million others.
    private var listeners: [CInt: [Listener]] = [:]
    private var isDelivering = false
    /// The turn of the last ``deliverOnceATurn()``.
    private var lastTurn: UInt64 = 0

    /// - Throws: `EMFILE` when the user has as many queues as the system allows, 128 usually. One a process is enough.
    public init() throws(UVError) {
        self.queue = try InotifyQueue { [weak self] in self?.didBecomeReadable() }
    }

    isolated deinit {
        self.timer?.stop()
        self.queue?.close()
    }

    /// How many files and folders the kernel watches for us.
    public var count: Int { self.listeners.count }

    /// Watches what `file` is open on, a folder or a regular file, whatever it is called and wherever it is moved. The descriptor may be
    /// closed then.
    ///
    /// What is watched twice costs the kernel one watch. A second registration may be told of what happened shortly before it.
    /// - Parameter handler: may watch and cancel; what it does takes effect at once, also on events that wait.
    /// - Throws: `ENOSPC` when the user's watches are used up, `EINVAL` for what is neither folder nor file, `EACCES` without the right
    ///   to read it, `ENOENT` without `/proc`.
    public func watch(
        _ file: borrowing OwnedFile, _ handler: @escaping @EventLoop (FolderEvent) -> Void
    ) throws(UVError) -> Watch {
        let mask: UInt32
        switch try file.status().kind {
        case .folder: mask = InotifyEvent.folderMask
        case .file: mask = InotifyEvent.fileMask
        case .symlink, .other: throw UVError(code: -EINVAL, call: "inotify_add_watch")
        }
        guard let queue = self.queue else { preconditionFailure("a watcher has its queue as long as it lives") }
        let listener = Listener(number: try queue.add(file, mask: mask), handler: handler)
        self.listeners[listener.number, default: []].append(listener)
        return Watch(listener, of: self)
    }

    /// Reads and delivers what the kernel has queued, before returning: all that was caused by calls that have returned, or that it is
    /// lost. One system call when there is nothing, none when nothing is watched. A handler that calls it finds that its events are being
    /// delivered already.
    public func deliverPending() {
        if !self.listeners.isEmpty { self.deliver() }
    }

    /// As ``deliverPending()``, but asks the kernel once a turn of the loop only: enough for whoever answers requests, which have come
    /// before the turn began.
    func deliverOnceATurn() {
        let turn = EventLoop.turn
        guard turn != self.lastTurn else { return }
        self.lastTurn = turn
        self.deliverPending()
    }

    /// - Returns: whether there was anything.
    @discardableResult
    private func deliver() -> Bool {
        guard !self.isDelivering else { return false }
        self.isDelivering = true
        defer { self.isDelivering = false }
        var count = 0
        for _ in 0..<Self.readsInARow {
            guard let (events, isAll) = self.queue?.read() else {
                self.lose()
                return true
            }
            self.handle(events)
            count += events.count
            if isAll { return count > 0 }
        }
        // What is left is of watches that are no more, and is read in later turns.
        self.lose()
        return true
    }

    func handle(_ events: [InotifyEvent]) {
        for raw in events {
            guard let event = raw.event else {
                // Told as gone already, unless that was lost.
                if raw.isEnd { self.end(raw.watch, with: FolderEvent(kind: .gone)) }
                continue
            }
            switch event.kind {
            case .lost: self.lose()
            case .gone: self.end(raw.watch, with: event)
            case .nameAppeared, .nameVanished, .contentChanged, .attributesChanged:
                self.tell(self.listeners[raw.watch] ?? [], event)
            }
        }
    }

    /// Ends all watches: among what was lost may have been the end of any, and who waits for its events would wait for ever.
    private func lose() {
        let all = self.listeners
        self.listeners = [:]
        // Ended first: who watches anew in its handler has a watch of its own.
        for number in all.keys { self.queue?.remove(number) }
        for listeners in all.values { self.finish(listeners, with: FolderEvent(kind: .lost)) }
    }

    private func end(_ number: CInt, with event: FolderEvent) {
        guard let listeners = self.listeners.removeValue(forKey: number) else { return }
        // Moved things are still watched by the kernel. Ended first: who watches it again in its handler has a watch of its own.
        self.queue?.remove(number)
        self.finish(listeners, with: event)
    }

    private func finish(_ listeners: [Listener], with event: FolderEvent) {
        self.tell(listeners, event)
        for listener in listeners { listener.end() }
    }

    private func tell(_ listeners: [Listener], _ event: FolderEvent) {
        for listener in listeners { listener.handler?(event) }
    }

    func remove(_ listener: Listener) {
        guard listener.isActive else { return }
        listener.end()
        let number = listener.number
        self.listeners[number]?.removeAll { $0 === listener }
        guard self.listeners[number]?.isEmpty == true else { return }
        self.listeners[number] = nil
        self.queue?.remove(number)
    }

    private func didBecomeReadable() {
        self.deliver()
        guard self.timer == nil else { return }
        self.queue?.rest()
        self.timer = LoopTimer(every: Self.pause) { [weak self] in self?.pauseIsOver() }
    }

    private func pauseIsOver() {
        if self.deliver() { return }
        self.timer?.stop()
        self.timer = nil
        self.queue?.listen()
    }
}
