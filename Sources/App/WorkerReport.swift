/// What a worker tells its supervisor, a line each.
enum WorkerReport: Equatable {
    /// Clients can connect.
    case ready
    /// It cannot start, and ends; the reason for the one who started the command.
    case failed(String)
    /// It has been asked to end, and has so many running requests to finish first.
    case finishing(Int)

    /// `nil` for a line that is none.
    init?(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        switch (parts.first, parts.dropFirst().first) {
        case ("ready", nil): self = .ready
        case ("failed", let reason?): self = .failed(String(reason))
        case ("finishing", let count?):
            guard let count = Int(count) else { return nil }
            self = .finishing(count)
        default: return nil
        }
    }

    var line: String {
        switch self {
        case .ready: "ready"
        case .failed(let reason): "failed \(reason)"
        case .finishing(let count): "finishing \(count)"
        }
    }
}
