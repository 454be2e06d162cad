import UVServer

/// Counts an event on the loop and lets a test wait until it has come so often.
@EventLoop final class Milestone {
    private(set) var count = 0
    private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    nonisolated init() {}

    func reach() {
        self.count += 1
        for waiter in self.waiting where waiter.count <= self.count { waiter.continuation.resume() }
        self.waiting.removeAll { $0.count <= self.count }
    }

    func reached(_ count: Int = 1) async {
        if self.count >= count { return }
        await withCheckedContinuation { self.waiting.append((count, $0)) }
    }

    /// Waits until the event has come and then not again for twenty turns of the loop, in each of which it could have.
    func quiet() async {
        await self.reached()
        var seen = 0
        while self.count != seen {
            seen = self.count
            await turns(20)
        }
    }
}
