/// Lets in connections and requests as far as there are descriptors for them. Where there are not, idle connections make room, the one
/// that has been idle longest first; when none is idle, connections stay in the kernel's queue and requests wait in turn. Nothing is
/// dropped.
@EventLoop final class Admission {
    private var budget: DescriptorBudget
    private var waiting = RingQueue<CheckedContinuation<Void, Never>>()
    /// Whether new connections are kept in the kernel's queue.
    private(set) var isFull = false
    private var isEvicting = false
    /// Closes the connection that has been idle longest; `false` when none is idle.
    var evict: @EventLoop () -> Bool = { false }
    /// Called when the first connection finds no room, with `true`, and when there is some again.
    var fullChanged: @EventLoop (Bool) -> Void = { _ in }

    init(limits: RequestLimits) { self.budget = DescriptorBudget(limits: limits) }

    // MARK: Connections

    func didOpen() {
        self.budget.open += 1
        self.look()
    }

    func didClose() {
        self.budget.open -= 1
        self.settle()
    }

    /// Closes an idle connection for one that waits in the kernel's queue.
    func makeRoomForConnection() {
        guard self.isFull else { return }
        // Closing it lets the other one in.
        _ = self.evict()
    }

    // MARK: Requests

    /// Counts a request that begins to be answered, if there is room. To be followed by ``endAnswer()`` then, and else by
    /// ``waitForTurn()`` first.
    func beginAnswer() -> Bool {
        guard self.waiting.isEmpty else { return false }
        while !self.budget.hasRoomForAnswer {
            guard self.evictForAnswer() else { return false }
        }
        self.budget.answers += 1
        self.look()
        return true
    }

    /// Returns when the request has been counted.
    func waitForTurn() async {
        await withCheckedContinuation { turn in
            self.waiting.append(turn)
            self.settle()
        }
    }

    func endAnswer() {
        self.budget.answers -= 1
        guard self.isFull || !self.waiting.isEmpty else { return }
        self.settle()
    }

    /// Looks again for connections that have become idle. Called twice a second.
    func retry(heldConnection: Bool) {
        while !self.waiting.isEmpty, !self.budget.hasRoomForAnswer, self.evictForAnswer() {}
        self.settle()
        if heldConnection { self.makeRoomForConnection() }
    }

    /// The place that becomes free is for a request, so no connection is let in.
    private func evictForAnswer() -> Bool {
        self.isEvicting = true
        defer { self.isEvicting = false }
        return self.evict()
    }

    /// Requests come first: their clients have been let in already.
    private func settle() {
        while !self.isEvicting, self.budget.hasRoomForAnswer, let turn = self.waiting.popFirst() {
            self.budget.answers += 1
            turn.resume()
        }
        self.look()
    }

    private func look() {
        let isFull = !self.budget.hasRoomForConnection || !self.waiting.isEmpty || self.isEvicting
        guard isFull != self.isFull else { return }
        self.isFull = isFull
        self.fullChanged(isFull)
    }
}
