/// The calls of one lane: those that run, those that wait for a thread, and those that hang. Whoever has it starts the calls.
struct LaneQueue<Call: AnyObject> {
    /// How many calls may run at once.
    private let threads: Int
    /// How many that hang are not counted.
    private let spareThreads: Int
    /// A call that is still running after so many looks, while others wait, hangs. Looks and not time: a call may have come back while
    /// the loop was busy.
    static var patience: Int { 4 }
    private var looks = 0
    /// With the number of looks when they began.
    private var running: [(call: Call, since: Int)] = []
    private var hanging: [Call] = []
    private var waiting = RingQueue<Call>()

    init(threads: Int, spareThreads: Int) {
        self.threads = threads
        self.spareThreads = spareThreads
    }

    var isIdle: Bool { self.running.isEmpty && self.hanging.isEmpty }
    var isAnyWaiting: Bool { !self.waiting.isEmpty }
    var isAnyHanging: Bool { !self.hanging.isEmpty }

    /// - Returns: whether `call` is to be started now; it waits otherwise.
    mutating func begin(_ call: Call) -> Bool {
        guard self.running.count < self.threads else {
            self.waiting.append(call)
            return false
        }
        self.running.append((call, self.looks))
        return true
    }

    /// `call` has come back.
    /// - Returns: one that has waited and is to be started now.
    mutating func end(_ call: Call) -> Call? {
        if let index = self.hanging.firstIndex(where: { $0 === call }) {
            self.hanging.remove(at: index)
            return nil
        }
        self.running.removeAll { $0.call === call }
        return self.startNext()
    }

    /// Looks for calls that hang while others wait for their threads; they do not count any more.
    /// - Returns: calls that have waited and are to be started in their place.
    mutating func look() -> [Call] {
        self.looks += 1
        var started: [Call] = []
        while self.isAnyWaiting, self.hanging.count < self.spareThreads,
            let index = self.running.firstIndex(where: { self.looks - $0.since >= Self.patience })
        {
            self.hanging.append(self.running.remove(at: index).call)
            if let next = self.startNext() { started.append(next) }
        }
        return started
    }

    private mutating func startNext() -> Call? {
        guard let next = self.waiting.popFirst() else { return nil }
        self.running.append((next, self.looks))
        return next
    }
}
