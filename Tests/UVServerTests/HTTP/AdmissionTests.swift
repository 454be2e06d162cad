import Testing

@testable import UVServer

@Suite("Admission") @EventLoop struct AdmissionTests {
    private let admission: Admission
    private let state = State()

    @EventLoop private final class State {
        /// How many connections can be closed.
        var idle = 0
        var evicted = 0
        var changes: [Bool] = []
        var served = 0
        nonisolated init() {}
    }

    init() {
        var limits = RequestLimits()
        limits.connections = 6
        limits.descriptors = 9
        let (admission, state) = (Admission(limits: limits), self.state)
        admission.evict = { [unowned admission] in
            guard state.idle > 0 else { return false }
            state.idle -= 1
            state.evicted += 1
            admission.didClose()
            return true
        }
        admission.fullChanged = { state.changes.append($0) }
        self.admission = admission
    }

    private func open(_ count: Int) { for _ in 0..<count { self.admission.didOpen() } }

    /// A request that waits for its turn.
    private func request() -> Task<Void, Never> {
        EventLoop.spawn {
            if !self.admission.beginAnswer() { await self.admission.waitForTurn() }
            self.state.served += 1
        }
    }

    @Test("is over at the cap, and an idle connection makes room only when another one waits")
    func connections() {
        self.open(5)
        #expect(self.state.changes == [])
        self.open(1)
        #expect(self.state.changes == [true] && self.admission.isFull)
        self.admission.makeRoomForConnection()
        #expect(self.admission.isFull && self.state.evicted == 0)
        self.state.idle = 3
        self.admission.makeRoomForConnection()
        #expect(self.state.changes == [true, false] && self.state.evicted == 1)
        self.admission.makeRoomForConnection()
        #expect(self.state.evicted == 1)
    }

    @Test("of requests closes idle connections first, and lets the rest wait in turn")
    func requests() async {
        self.open(5)
        // 5 + 2 * 2 = 9: the third finds none.
        #expect(self.admission.beginAnswer() && self.admission.beginAnswer())
        #expect(self.admission.isFull)
        self.state.idle = 2
        #expect(self.admission.beginAnswer())
        #expect(self.state.evicted == 2)
        let waiting = [self.request(), self.request()]
        await turns(3)
        #expect(self.state.served == 0)
        // Nobody passes by those who wait.
        self.state.idle = 1
        #expect(!self.admission.beginAnswer())
        self.admission.endAnswer()
        await waiting[0].value
        #expect(self.state.served == 1 && self.admission.isFull)
        self.admission.endAnswer()
        await waiting[1].value
        #expect(self.state.served == 2 && self.state.evicted == 2)
        for _ in 0..<3 { self.admission.endAnswer() }
        #expect(!self.admission.isFull)
    }

    @Test("of a waiting request follows when others have become idle")
    func later() async {
        self.open(5)
        #expect(self.admission.beginAnswer() && self.admission.beginAnswer())
        let waiting = self.request()
        await turns(3)
        self.state.idle = 1
        self.admission.retry(heldConnection: false)
        #expect(self.state.served == 0)
        self.state.idle = 1
        self.admission.retry(heldConnection: true)
        await waiting.value
        #expect(self.state.served == 1 && self.state.evicted == 2)
    }

    @Test("is never refused to the only request") func only() {
        var limits = RequestLimits()
        limits.descriptors = 1
        let admission = Admission(limits: limits)
        admission.didOpen()
        #expect(admission.beginAnswer())
    }
}
