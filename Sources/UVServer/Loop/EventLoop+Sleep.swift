extension EventLoop {
    /// Suspends the task while the loop does everything else, for `duration` to a millisecond; for nothing and less, not at all.
    ///
    /// `Task.sleep` would resume on the global pool and come back from there.
    @EventLoop public static func sleep(for duration: Duration) async {
        guard duration > .zero else { return }
        var timer: LoopTimer?
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            timer = LoopTimer(every: duration) {
                timer?.stop()
                waiter.resume()
            }
        }
    }
}
