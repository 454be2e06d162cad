/// The command's own options. The raw value is the long spelling without its dashes.
enum OptionName: String, CaseIterable {
    case port
    case bind
    case maxSize = "max-size"
    case minFree = "min-free"
    case onDuplicateFiles = "on-duplicate-files"
    case readOnly = "read-only"
    case hidden
    case title
    case state
    case allowHost = "allow-host"
    case durability
    case logFormat = "log-format"
    case quiet
    case workers
    case maxConnections = "max-connections"
    case maxConnectionsPerAddress = "max-connections-per-address"
    case shutdownTimeout = "shutdown-timeout"
    case help
    case version

    /// As it is typed: `--port`.
    var flag: String { "--\(self.rawValue)" }

    /// The variable that stands for it: `UVDROP_MAX_SIZE`. Help and version have none.
    var variable: String? {
        switch self {
        case .help, .version: nil
        case .port, .bind, .maxSize, .minFree, .onDuplicateFiles, .readOnly, .hidden, .title, .state, .allowHost, .durability,
            .logFormat, .quiet, .workers, .maxConnections, .maxConnectionsPerAddress, .shutdownTimeout:
            "UVDROP_" + self.rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
        }
    }

    /// Whether it is on or off and takes its value only behind `=`.
    var isSwitch: Bool {
        switch self {
        case .readOnly, .hidden, .quiet, .help, .version: true
        case .port, .bind, .maxSize, .minFree, .onDuplicateFiles, .title, .state, .allowHost, .durability, .logFormat, .workers,
            .maxConnections, .maxConnectionsPerAddress, .shutdownTimeout:
            false
        }
    }
}
