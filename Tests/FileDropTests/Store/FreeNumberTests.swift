import Testing

@testable import FileDrop

@Suite("A free number") struct FreeNumberTests {
    /// The number that is found, and after how many looks.
    private func find(from start: Int = 0, _ isTaken: (Int) -> Bool) -> (number: Int?, looks: Int) {
        var search = FreeNumber(from: start)
        var looks = 0
        while let candidate = search.candidate {
            looks += 1
            if search.isFound(isTaken: isTaken(candidate)) { return (candidate, looks) }
        }
        return (nil, looks)
    }

    @Test("is the one after the last that is taken, and takes few looks however many those are")
    func contiguous() {
        for taken in Array(0...300) + [1000, 4095, 4096, 4097, 9000, 10_001, 1_000_000, 100_000_000] {
            let found = self.find { $0 < taken }
            #expect(found.number == taken, "\(taken)")
            #expect(found.looks <= 64, "\(taken): \(found.looks)")
        }
        #expect(self.find { $0 < 10_001 }.looks < 35)
        #expect(self.find(from: 10_000) { $0 < 10_001 } == (10_001, 2))
    }

    @Test("is the lowest one when few are taken") func gaps() {
        #expect(self.find { [0, 1, 3].contains($0) } == (2, 3))
        #expect(self.find { [1, 2].contains($0) } == (0, 1))
    }

    @Test("is free, and follows a taken one, whatever is taken") func scattered() {
        var generator = SystemRandomNumberGenerator()
        for size in [20, 100, 1000, 50_000] {
            for share in [2, 10, 100] {
                let taken = Set((0..<size).filter { _ in Int.random(in: 0..<share, using: &generator) > 0 })
                let found = self.find { taken.contains($0) }
                guard let number = found.number else {
                    Issue.record("none for \(size) less \(share)")
                    continue
                }
                #expect(!taken.contains(number) && (number == 0 || taken.contains(number - 1)), "\(number)")
                #expect(found.looks <= FreeNumber.looks)
            }
        }
    }

    @Test("is found also when just those that are looked at in order are taken") func planted() {
        let found = self.find { $0 < 1_000_000_000 || $0 >= 1_000_000_000_000 }
        #expect(found.number != nil && found.looks <= FreeNumber.looks)
        #expect(self.find { _ in true } == (nil, FreeNumber.looks))
    }
}
