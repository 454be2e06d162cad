/// Finds what somebody probably meant to type.
enum NearestWord {
    /// The candidate that takes the fewest single-letter edits; of equal ones the first. A candidate that begins with all
    /// of `word` comes before any other. `nil` when none is close: an edit for every three letters at most, but one in any case.
    static func find(_ word: String, among candidates: [String]) -> String? {
        if word.utf8.count > 1, let longer = candidates.first(where: { $0.hasPrefix(word) }) { return longer }
        let nearest = candidates.min { self.distance(word, $0) < self.distance(word, $1) }
        return nearest.flatMap { self.distance(word, $0) <= max(1, word.utf8.count / 3) ? $0 : nil }
    }

    /// Letters to insert, delete, replace or swap with their neighbour to get from one word to the other.
    /// Words are cut at 64 bytes, which bounds the work.
    static func distance(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first.utf8.prefix(64)), Array(second.utf8.prefix(64)))
        var older: [Int] = []
        var previous = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                let replaced = previous[j] + (a[i] == b[j] ? 0 : 1)
                var best = min(previous[j + 1] + 1, row[j] + 1, replaced)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, older[j - 1] + 1) }
                row.append(best)
            }
            (older, previous) = (previous, row)
        }
        return previous[b.count]
    }
}
