/// What a form upload does when its name is taken: a free name beside it, replace the file, or refuse.
public enum DuplicatePolicy: String, CaseIterable, Sendable {
    case rename, overwrite, error
}
