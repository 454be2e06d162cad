/// What is on the disk before an upload is answered.
public enum Durability: String, CaseIterable, Sendable {
    /// The file and its name: what was acknowledged survives a power cut.
    case full
    /// The file's content. Its name may be lost with the power.
    case data
    /// Nothing; the system writes when it likes. A crash of the program alone loses nothing.
    case none
}
