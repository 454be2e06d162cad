/// What is on the disk before an upload is answered: data and directory entry, the data, or nothing for certain.
public enum Durability: String, CaseIterable, Sendable {
    case full, data, none
}
