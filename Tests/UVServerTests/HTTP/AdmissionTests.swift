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
        var uploads = 0
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
    private func request(isUpload: Bool = false) -> Task<Void, Never> {
        EventLoop.spawn {
            if !self.admission.beginAnswer(isUpload: isUpload) { await self.admission.waitForTurn(isUpload: isUpload) }
            if isUpload { self.state.uploads += 1 } else { self.state.served += 1 }
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
        #expect(self.admission.beginAnswer(isUpload: false) && self.admission.beginAnswer(isUpload: false))
        #expect(self.admission.isFull)
        self.state.idle = 2
        #expect(self.admission.beginAnswer(isUpload: false))
        #expect(self.state.evicted == 2)
        let waiting = [self.request(), self.request()]
        await turns(3)
        #expect(self.state.served == 0)
        // Nobody passes by those who wait.
        self.state.idle = 1
        #expect(!self.admission.beginAnswer(isUpload: false))
        self.admission.endAnswer(isUpload: false)
        await waiting[0].value
        #expect(self.state.served == 1 && self.admission.isFull)
        self.admission.endAnswer(isUpload: false)
        await waiting[1].value
        #expect(self.state.served == 2 && self.state.evicted == 2)
        for _ in 0..<3 { self.admission.endAnswer(isUpload: false) }
        #expect(!self.admission.isFull)
    }

    @Test("of a waiting request follows when others have become idle")
    func later() async {
        self.open(5)
        #expect(self.admission.beginAnswer(isUpload: false) && self.admission.beginAnswer(isUpload: false))
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
        #expect(admission.beginAnswer(isUpload: false))
    }

    @Test("of uploads leaves a quarter of what connections leave to those who want to fetch something")
    func share() async {
        self.open(1)
        // There are four places.
        for _ in 0..<3 { #expect(self.admission.beginAnswer(isUpload: true)) }
        let fourth = self.request(isUpload: true)
        await turns(3)
        #expect(self.state.uploads == 0 && !self.admission.isFull)
        #expect(self.admission.beginAnswer(isUpload: false))
        // A free place alone is not enough.
        self.admission.endAnswer(isUpload: false)
        await turns(3)
        #expect(self.state.uploads == 0)
        self.admission.endAnswer(isUpload: true)
        await fourth.value
        #expect(self.state.uploads == 1 && self.state.evicted == 0)
    }

    @Test("of uploads and others takes turns when both wait")
    func turnsOfBoth() async {
        self.open(1)
        for _ in 0..<4 { #expect(self.admission.beginAnswer(isUpload: false)) }
        #expect(!self.admission.beginAnswer(isUpload: true))
        let uploads = [self.request(isUpload: true), self.request(isUpload: true)]
        await turns(3)
        #expect(self.admission.isFull, "there is no room")
        let others = [self.request(), self.request()]
        await turns(3)
        self.admission.endAnswer(isUpload: false)
        await uploads[0].value
        self.admission.endAnswer(isUpload: false)
        await others[0].value
        #expect(self.state.uploads == 1 && self.state.served == 1)
        self.admission.endAnswer(isUpload: false)
        await uploads[1].value
        self.admission.endAnswer(isUpload: false)
        await others[1].value
    }

    @Test("of an upload goes before the share where it is the only one, and idle connections make room for more")
    func firstUpload() async {
        self.open(6)
        // There is one place.
        #expect(self.admission.beginAnswer(isUpload: true))
        #expect(!self.admission.beginAnswer(isUpload: true))
        self.state.idle = 5
        #expect(self.admission.beginAnswer(isUpload: true))
        #expect(self.state.evicted == 3)
    }
}
