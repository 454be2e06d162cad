/// A command line that cannot be followed. `text` says what is wrong and what would be right.
struct UsageError: Error, Equatable {
    let text: String

    init(_ text: String) { self.text = text }
}
