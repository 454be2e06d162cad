internal import UVServer

/// The signals that ask the command to end: the first gently, the next at once.
@EventLoop enum StopSignals {
    private final class Waiter {
        private var first: CheckedContinuation<Void, Never>?
        private let again: @EventLoop (CInt) -> Void

        init(_ first: CheckedContinuation<Void, Never>, _ again: @escaping @EventLoop (CInt) -> Void) {
            self.first = first
            self.again = again
        }

        @EventLoop func received(_ signal: CInt) {
            if let first = self.first.take() { first.resume() } else { self.again(signal) }
        }
    }

    /// Returns at the first signal.
    /// - Parameters:
    ///   - ready: called when none can be missed any more.
    ///   - again: called with each signal after the first one.
    static func untilReceived(
        _ signals: [CInt], ready: @EventLoop () -> Void, again: @escaping @EventLoop (CInt) -> Void
    ) async {
        await withCheckedContinuation { continuation in
            let waiter = Waiter(continuation, again)
            for signal in signals {
                // They last as long as the process. Only SIGKILL and SIGSTOP cannot be watched.
                _ = try? SignalWatcher(signal) { waiter.received(signal) }
            }
            ready()
        }
    }

    /// What is said after the first one.
    static func waiting(for requests: Int, within timeout: Duration) -> String {
        """
        uvdrop: finishing \(requests) running \(requests == 1 ? "request" : "requests"), \
        for \(timeout.components.seconds) s at most; the same signal again stops at once
        """
    }
}
