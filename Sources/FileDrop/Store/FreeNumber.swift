/// Looks for a number that is free, in few looks however many are taken: it counts, then doubles its steps, then halves the way back to the
/// last taken one. So the number follows a taken one; where some before have become free again, it need not be the lowest.
struct FreeNumber {
    private enum Way {
        /// The number is used when it is free; otherwise so many that follow are looked at.
        case counting(left: Int)
        /// `taken` is the last number that was.
        case doubling(taken: Int, step: Int)
        case halving(taken: Int, free: Int)
        /// Somebody has taken just those numbers that are looked at, or takes each one first: any of a great many.
        case guessing
    }

    /// After so many looks none is found.
    static let looks = 68
    /// How many of them are guesses.
    private static let guesses = 4
    /// How many numbers are looked at one after the other.
    private static let counted = 8

    private var way = Way.counting(left: FreeNumber.counted)
    private var looks = 0
    /// The number to be looked at; `nil` when there was none to be found.
    private(set) var candidate: Int?

    /// - Parameter start: the first number to look at.
    init(from start: Int) { self.candidate = start }

    /// Goes on to the next candidate, unless this one is to be used.
    /// - Parameter isTaken: what the look has shown; or that it was taken after the look.
    /// - Returns: whether the candidate is to be used.
    mutating func isFound(isTaken: Bool) -> Bool {
        guard let number = self.candidate else { return false }
        self.looks += 1
        switch self.way {
        case .counting, .guessing:
            guard isTaken else { return true }
        case .doubling, .halving: break
        }
        guard self.looks < Self.looks else {
            self.candidate = nil
            return false
        }
        guard self.looks < Self.looks - Self.guesses else {
            self.way = .guessing
            self.candidate = Int.random(in: 1_000_000_000..<1_000_000_000_000)
            return false
        }
        switch self.way {
        case .counting(let left) where left > 0:
            self.way = .counting(left: left - 1)
            self.candidate = number + 1
        case .counting: self.double(number, step: Self.counted)
        case .doubling(_, let step) where isTaken: self.double(number, step: 2 * step)
        case .doubling(let taken, _): self.halve(taken, number)
        case .halving(_, let free) where isTaken: self.halve(number, free)
        case .halving(let taken, _): self.halve(taken, number)
        case .guessing: break
        }
        return false
    }

    private mutating func double(_ taken: Int, step: Int) {
        self.way = .doubling(taken: taken, step: step)
        self.candidate = taken + step
    }

    private mutating func halve(_ taken: Int, _ free: Int) {
        if free - taken > 1 {
            self.way = .halving(taken: taken, free: free)
            self.candidate = taken + (free - taken) / 2
        } else {
            self.way = .counting(left: Self.counted)
            self.candidate = free
        }
    }
}
