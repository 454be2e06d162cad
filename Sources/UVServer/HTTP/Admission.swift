/// Lets in connections and requests as far as there are descriptors for them. Where there are not, idle connections make room, the one
/// that has been idle longest first; when none is idle, connections stay in the kernel's queue and requests wait in turn. Nothing is
/// dropped.
@EventLoop final class Admission {
    private var budget: DescriptorBudget
    private var waiting = RingQueue<CheckedContinuation<Void, Never>>()
    private var waitingUploads = RingQueue<CheckedContinuation<Void, Never>>()
    private var isUploadsTurn = true
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

    /// Counts a request that begins to be answered, if there is room. To be followed by ``endAnswer(isUpload:)`` then, and else by
    /// ``waitForTurn(isUpload:)`` first.
    /// - Parameter isUpload: whether its client still has to send a body.
    func beginAnswer(isUpload: Bool) -> Bool {
        guard self.waiting.isEmpty, !isUpload || self.waitingUploads.isEmpty else { return false }
        while !self.hasRoom(isUpload: isUpload) {
            guard self.evictForAnswer() else { return false }
        }
        self.count(isUpload: isUpload)
        self.look()
        return true
    }

    /// Returns when the request has been counted.
    func waitForTurn(isUpload: Bool) async {
        await withCheckedContinuation { turn in
            if isUpload { self.waitingUploads.append(turn) } else { self.waiting.append(turn) }
            self.settle()
        }
    }

    func endAnswer(isUpload: Bool) {
        self.budget.answers -= 1
        if isUpload { self.budget.uploads -= 1 }
        guard self.isFull || self.isAnyWaiting else { return }
        self.settle()
    }

    /// Looks again for connections that have become idle. Called twice a second.
    func retry(heldConnection: Bool) {
        while !self.waiting.isEmpty, !self.budget.hasRoomForAnswer, self.evictForAnswer() {}
        while !self.waitingUploads.isEmpty, !self.hasRoom(isUpload: true), self.evictForAnswer() {}
        self.settle()
        if heldConnection { self.makeRoomForConnection() }
    }

    private var isAnyWaiting: Bool { !self.waiting.isEmpty || !self.waitingUploads.isEmpty }

    private func hasRoom(isUpload: Bool) -> Bool {
        self.budget.hasRoomForAnswer && (!isUpload || self.budget.hasShareForUpload)
    }

    private func count(isUpload: Bool) {
        self.budget.answers += 1
        if isUpload { self.budget.uploads += 1 }
    }

    /// The place that becomes free is for a request, so no connection is let in.
    private func evictForAnswer() -> Bool {
        self.isEvicting = true
        defer { self.isEvicting = false }
        return self.evict()
    }

    /// Requests come before connections, whose clients have not been let in yet; uploads and others take turns, so that a flood of either
    /// does not keep the other kind waiting.
    private func settle() {
        while !self.isEvicting {
            let mayUpload = !self.waitingUploads.isEmpty && self.hasRoom(isUpload: true)
            let mayOther = !self.waiting.isEmpty && self.hasRoom(isUpload: false)
            guard mayUpload || mayOther else { break }
            let isUpload = mayUpload && (!mayOther || self.isUploadsTurn)
            self.isUploadsTurn = !isUpload
            self.count(isUpload: isUpload)
            if isUpload { self.waitingUploads.popFirst()?.resume() } else { self.waiting.popFirst()?.resume() }
        }
        self.look()
    }

    private func look() {
        // Uploads that wait for others to end, while there is room for answers, keep nobody out.
        let isAwaitingRoom = !self.waiting.isEmpty || !self.waitingUploads.isEmpty && !self.budget.hasRoomForAnswer
        let isFull = !self.budget.hasRoomForConnection || isAwaitingRoom || self.isEvicting
        guard isFull != self.isFull else { return }
        self.isFull = isFull
        self.fullChanged(isFull)
    }
}
