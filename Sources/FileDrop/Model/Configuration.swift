internal import UVServer

/// Everything a file server is told before it starts. A value: changing it later changes no running server.
public struct Configuration: Sendable, Equatable {
    /// Largest content of one upload request unless told otherwise: 50 MiB.
    public static let defaultMaxSize: Int64 = 50 << 20

    /// The folder that is served, absolute, or relative to the working directory at the time when a server is made.
    public var folder: String
    /// The TCP port. 0 asks the system for a free one.
    public var port: UInt16
    /// Addresses to listen at: IPv4 or IPv6 literals without brackets. Empty: all IPv4 and all IPv6 addresses.
    public var binds: [String]
    /// Most file bytes that one request may bring. Past it: 413. `nil`: no limit.
    public var maxSize: Int64?
    /// So many bytes of the folder's file system stay free: uploads that would go below are 507.
    public var minFree: Int64
    /// What a form upload does when its name is taken. `PUT` never renames.
    public var duplicates: DuplicatePolicy
    /// Nothing in the folder is made, changed or deleted; the folder need not be writable.
    public var readOnly: Bool
    /// Names that begin with a dot are listed, served and accepted.
    public var showsHidden: Bool
    /// The heading of the pages. `nil`: the machine's name and the port.
    public var title: String?
    /// Where the server keeps its own files. `nil`: `.uvdrop` inside the folder.
    public var stateFolder: String?
    /// Host names that requests may carry besides IP literals, `localhost` and the machine's own name. Others: 421.
    public var allowedHosts: [String]
    /// What is on the disk before an upload is answered.
    public var durability: Durability
    /// How the request log is written.
    public var logFormat: LogFormat
    /// No request log. The start-up lines and errors still appear.
    public var quiet: Bool
    /// How many processes serve the folder together, from 1; less counts as 1. Each takes its share of what is bounded for all; starting
    /// them is for the caller.
    public var workers: Int
    /// Most connections at once, of all workers together; less than 1 counts as 1. `nil`: as many as there are descriptors for, which
    /// is the most in any case.
    public var maxConnections: Int?
    /// Most connections at once from one address, of all workers together; less than 1 counts as 1. `nil`: no limit.
    public var maxConnectionsPerAddress: Int?
    /// How long a stop waits for running requests at most; zero cuts them off at once.
    public var shutdownTimeout: Duration

    public init(
        folder: String,
        port: UInt16 = 8080,
        binds: [String] = [],
        maxSize: Int64? = Configuration.defaultMaxSize,
        minFree: Int64 = 0,
        duplicates: DuplicatePolicy = .rename,
        readOnly: Bool = false,
        showsHidden: Bool = false,
        title: String? = nil,
        stateFolder: String? = nil,
        allowedHosts: [String] = [],
        durability: Durability = .full,
        logFormat: LogFormat = .text,
        quiet: Bool = false,
        workers: Int = 1,
        maxConnections: Int? = nil,
        maxConnectionsPerAddress: Int? = nil,
        shutdownTimeout: Duration = .seconds(30)
    ) {
        self.folder = folder
        self.port = port
        self.binds = binds
        self.maxSize = maxSize
        self.minFree = minFree
        self.duplicates = duplicates
        self.readOnly = readOnly
        self.showsHidden = showsHidden
        self.title = title
        self.stateFolder = stateFolder
        self.allowedHosts = allowedHosts
        self.durability = durability
        self.logFormat = logFormat
        self.quiet = quiet
        self.workers = workers
        self.maxConnections = maxConnections
        self.maxConnectionsPerAddress = maxConnectionsPerAddress
        self.shutdownTimeout = shutdownTimeout
    }

    /// The same, with absolute paths: what is relative is meant in `directory`, and stays as it is where that is `nil`.
    public func anchored(in directory: String?) -> Configuration {
        guard let directory else { return self }
        var anchored = self
        anchored.folder = AbsolutePath.of(self.folder, in: directory)
        anchored.stateFolder = self.stateFolder.map { AbsolutePath.of($0, in: directory) }
        return anchored
    }

    /// The heading of the pages where it listens at `port`.
    public func title(port: UInt16) -> String { self.title ?? "\(Machine.name):\(port)" }
}
