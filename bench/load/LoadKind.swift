/// What the clients of a load do.
enum LoadKind: String, CaseIterable {
    /// Fetch a file, again and again.
    case get
    /// Fetch parts of a file.
    case range
    /// Upload by PUT.
    case put
    /// Upload by multipart form.
    case form
    /// Hold a connection and ask for nothing.
    case idle
    /// Fetch a file and take little of it at a time, or nothing.
    case slowRead = "slow-read"
    /// Upload a few bytes at a time.
    case slowWrite = "slow-write"

    /// The settings that it knows.
    var keys: [LoadKey] {
        let all: [LoadKey] = [.clients]
        let requests: [LoadKey] = [.count, .pace, .rate, .keepAlive, .verify]
        switch self {
        case .get: return all + requests + [.path, .size, .buffer, .cold]
        case .range: return all + requests + [.path, .size, .length, .cold]
        case .put: return all + requests + [.size, .folder, .names, .delete, .chunked]
        case .form: return all + requests + [.size, .folder, .names, .delete, .to, .field, .files]
        case .idle: return all + [.path]
        case .slowRead: return all + [.count, .rate, .verify, .path, .size, .buffer]
        case .slowWrite: return all + [.count, .rate, .verify, .size, .folder, .names, .delete, .chunked]
        }
    }

    var isUpload: Bool { self == .put || self == .form || self == .slowWrite }
}
