internal import FileDrop

/// The words that `--on-duplicate-files` takes.
enum DuplicateWords {
    static func contains(_ word: String) -> Bool { DuplicatePolicy(rawValue: word) != nil }
}
