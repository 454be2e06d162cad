extension FolderWatcher {
    /// One registration. It ends with `cancel()`, with the last reference to it, and after `.gone` and `.lost`.
    @EventLoop public final class Watch {
        private let listener: Listener
        private weak var watcher: FolderWatcher?

        init(_ listener: Listener, of watcher: FolderWatcher) {
            self.listener = listener
            self.watcher = watcher
        }

        isolated deinit { self.cancel() }

        /// Tells nothing any more, not even what the kernel has queued. Idempotent.
        public func cancel() { self.watcher?.remove(self.listener) }
    }

    /// Who is told of one watch.
    @EventLoop final class Listener {
        /// The kernel's number of the watch.
        let number: CInt
        /// `nil` once the registration has ended: what it holds may hold the registration.
        private(set) var handler: (@EventLoop (FolderEvent) -> Void)?

        var isActive: Bool { self.handler != nil }

        init(number: CInt, handler: @escaping @EventLoop (FolderEvent) -> Void) {
            self.number = number
            self.handler = handler
        }

        func end() { self.handler = nil }
    }
}
