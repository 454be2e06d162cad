import Testing

@testable import UVServer

@Suite("The calls of a lane") struct LaneQueueTests {
    private final class Call {}
    private var lane = LaneQueue<Call>(threads: 2, spareThreads: 3)
    private let calls = (0..<9).map { _ in Call() }

    private mutating func begin(_ count: Int) -> [Bool] { self.calls.prefix(count).map { self.lane.begin($0) } }

    /// The numbers of the calls that are started in so many looks.
    private mutating func look(_ count: Int = 1) -> [Int] {
        (0..<count).flatMap { _ in self.lane.look() }.compactMap { call in self.calls.firstIndex { $0 === call } }
    }

    @Test("run up to their number, and those that wait follow in turn") mutating func order() {
        #expect(self.lane.isIdle)
        #expect(self.begin(4) == [true, true, false, false])
        #expect(self.lane.isAnyWaiting)
        #expect(self.lane.end(self.calls[1]) === self.calls[2])
        #expect(self.lane.end(self.calls[0]) === self.calls[3])
        #expect(!self.lane.isAnyWaiting && !self.lane.isIdle)
        #expect(self.lane.end(self.calls[3]) == nil && self.lane.end(self.calls[2]) == nil)
        #expect(self.lane.isIdle)
    }

    @Test("that hang do not count while others wait, up to a number of their own") mutating func hanging() {
        _ = self.begin(9)
        #expect(self.look(3) == [])
        #expect(!self.lane.isAnyHanging)
        #expect(self.look() == [2, 3])
        #expect(self.lane.isAnyHanging)
        // Those in their places have only begun.
        #expect(self.look(3) == [])
        #expect(self.look() == [4])
        #expect(self.look(4) == [])
        // One that has come back leaves its place to another that hangs.
        #expect(self.lane.end(self.calls[0]) == nil)
        #expect(self.look() == [5])
        #expect(self.lane.end(self.calls[5]) === self.calls[6])
    }

    @Test("are left to run when nobody waits") mutating func alone() {
        _ = self.begin(2)
        #expect(self.look(9) == [])
        #expect(!self.lane.isAnyHanging)
    }
}
