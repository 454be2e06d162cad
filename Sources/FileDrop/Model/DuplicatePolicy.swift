/// What becomes of an upload whose name is taken.
public enum DuplicatePolicy: String, CaseIterable, Sendable {
    /// It is stored under a free name beside the old one: `photo (1).jpg`.
    case rename
    /// It takes the old file's place, in one step.
    case overwrite
    /// It is refused.
    case error
}
