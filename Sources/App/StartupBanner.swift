internal import FileDrop
internal import UVServer

/// What the command prints when it listens: what it is, what it serves, and where to find it.
struct StartupBanner {
    var configuration: Configuration
    /// The folder as the system knows it, absolute.
    var folder: String
    /// The heading of the pages.
    var title: String
    /// The real port, also where 0 was asked for.
    var port: UInt16
    /// Every address that the server listens at.
    var addresses: [ReachableAddress]

    init(configuration: Configuration, folder: String, title: String, port: UInt16, addresses: [ReachableAddress]) {
        self.configuration = configuration
        self.folder = folder
        self.title = title
        self.port = port
        self.addresses = addresses
    }

    /// Asks the system for what it shows.
    init(_ configuration: Configuration, at bound: [SocketAddress]) {
        let port = bound.first?.port ?? configuration.port
        self.init(
            configuration: configuration, folder: OwnProcess.absolute(configuration.folder),
            title: configuration.title(port: port),
            port: port, addresses: ReachableAddress.all(bound))
    }

    /// The lines, without line ends. Nothing in them can steer a terminal.
    var lines: [String] {
        var lines = ["uvdrop \(FileDropVersion.current)", "Folder: \(self.folder)", self.limit]
        lines.append("Title: \(self.title)")
        lines += self.urls
        return lines.map(TerminalText.safe)
    }

    /// One URL an address, IPv4 first, each once. Loopback only when there is nothing else.
    var urls: [String] {
        let outer = self.addresses.filter { !$0.isLoopback }
        let shown = outer.isEmpty ? self.addresses : outer
        var urls: [String] = []
        for address in shown.filter({ !$0.isIPv6 }) + shown.filter({ $0.isIPv6 }) {
            let url = address.url(port: self.port)
            if !urls.contains(url) { urls.append(url) }
        }
        return urls
    }

    private var limit: String {
        if self.configuration.readOnly { return "Read-only: no uploads, no deletions" }
        guard let size = self.configuration.maxSize else { return "Limit: none" }
        return "Limit: \(ByteSize.format(size)) an upload"
    }
}
