internal import FileDrop
internal import UVServer

/// The command line and the environment, read into a configuration. Pure: nothing is opened or looked up.
///
/// A flag wins over its variable; an empty variable counts as unset; of a flag given twice the last value counts, except
/// `--bind` and `--allow-host`, which add up.
enum Options {
    /// The most processes that can be asked for.
    static let mostWorkers = 256
    /// The longest time for a stop, in seconds: a day.
    static let longestShutdown = 86_400

    /// - Parameters:
    ///   - arguments: without the program's own name.
    ///   - processors: how many workers `auto` means.
    /// - Throws: `UsageError` for whatever cannot be followed. The first fault is told.
    static func parse(
        arguments: [String], environment: [String: String], processors: Int = 1
    ) throws(UsageError) -> Invocation {
        let line = try CommandLineScanner(arguments)
        if let question = line.question { return question == .help ? .help : .version }
        let path = line.path ?? environment["UVDROP_PATH"] ?? ""
        guard !path.isEmpty else { throw .missingPath }

        var configuration = Configuration(folder: path)
        for name in OptionName.allCases {
            for value in line.values[name] ?? self.fromEnvironment(name, environment) {
                try self.apply(name, value, processors, to: &configuration)
            }
        }
        if configuration.readOnly, let typed = line.writeOption { throw .contradiction(typed) }
        return .serve(configuration)
    }

    /// What to say of variables that look like ours and are not: other programs put some there, so they are no reason to stop, but a
    /// misspelt one must not go unnoticed. For a process that is no worker: what makes one has been looked at before.
    static func warnings(environment: [String: String]) -> [String] {
        let prefix = "UVDROP_"
        let known = ["UVDROP_PATH"] + OptionName.allCases.compactMap(\.variable)
        // What all begin with says nothing about which one was meant.
        let endings = known.map { String($0.dropFirst(prefix.count)) }
        return environment.keys.filter { !known.contains($0) }.sorted().map { name in
            // Nobody who set this one meant another.
            let nearest = name == Worker.variable ? nil : NearestWord.find(String(name.dropFirst(prefix.count)), among: endings)
            let hint = nearest.map { "; did you mean \(prefix)\($0)?" } ?? ""
            return TerminalText.safe("uvdrop: the variable \(name) means nothing here\(hint)")
        }
    }

    private static func fromEnvironment(_ name: OptionName, _ environment: [String: String]) -> [CommandLineScanner.Value] {
        guard let variable = name.variable, let text = environment[variable], !text.isEmpty else { return [] }
        return [CommandLineScanner.Value(text: text, source: variable)]
    }

    private static func apply(
        _ name: OptionName, _ value: CommandLineScanner.Value, _ processors: Int, to configuration: inout Configuration
    ) throws(UsageError) {
        switch name {
        case .port: configuration.port = try self.port(value)
        case .bind: configuration.binds += try self.addresses(value)
        case .maxSize: configuration.maxSize = try self.size(value)
        case .minFree: configuration.minFree = try self.size(value, zero: "none") ?? 0
        case .onDuplicateFiles: configuration.duplicates = try self.word(value)
        case .readOnly: configuration.readOnly = try self.truth(value)
        case .hidden: configuration.showsHidden = try self.truth(value)
        case .title: configuration.title = try self.text(value, expected: "a heading for the page")
        case .state: configuration.stateFolder = try self.text(value, expected: "a folder")
        case .allowHost: configuration.allowedHosts += try self.hosts(value)
        case .durability: configuration.durability = try self.word(value)
        case .logFormat: configuration.logFormat = try self.word(value)
        case .quiet: configuration.quiet = try self.truth(value)
        case .workers: configuration.workers = try self.workers(value, processors)
        case .maxConnections: configuration.maxConnections = try self.count(value, zero: "as many as the descriptors suffice for")
        case .maxConnectionsPerAddress: configuration.maxConnectionsPerAddress = try self.count(value, zero: "no limit")
        case .shutdownTimeout: configuration.shutdownTimeout = try self.shutdownTimeout(value)
        case .help, .version: preconditionFailure("\(name) has no value")
        }
    }

    private static func port(_ value: CommandLineScanner.Value) throws(UsageError) -> UInt16 {
        guard let number = ASCII.decimal(value.text.utf8), let port = UInt16(exactly: number) else {
            throw self.bad(value, expected: "a number from 0 to 65535")
        }
        return port
    }

    private static func workers(_ value: CommandLineScanner.Value, _ processors: Int) throws(UsageError) -> Int {
        if value.text.lowercased() == "auto" { return min(max(processors, 1), self.mostWorkers) }
        guard let number = ASCII.decimal(value.text.utf8), (1...UInt64(self.mostWorkers)).contains(UInt64(number)) else {
            throw self.bad(value, expected: "a number from 1 to \(self.mostWorkers), or auto for one a processor")
        }
        return Int(number)
    }

    private static func shutdownTimeout(_ value: CommandLineScanner.Value) throws(UsageError) -> Duration {
        guard let number = ASCII.decimal(value.text.utf8), number <= self.longestShutdown else {
            throw self.bad(value, expected: "a number of seconds from 0 to \(self.longestShutdown)")
        }
        return .seconds(Int64(number))
    }

    /// 0 means no limit, which a configuration writes as `nil`.
    private static func size(_ value: CommandLineScanner.Value, zero: String = "no limit") throws(UsageError) -> Int64? {
        guard let bytes = ByteSize.parse(value.text) else {
            throw self.bad(value, expected: "a size like 50MB, 2GB or 1048576 (0 for \(zero))")
        }
        return bytes == 0 ? nil : bytes
    }

    /// 0 means no limit of ours, which a configuration writes as `nil`.
    private static func count(_ value: CommandLineScanner.Value, zero: String) throws(UsageError) -> Int? {
        guard let number = ASCII.decimal(value.text.utf8), let count = Int(exactly: number) else {
            throw self.bad(value, expected: "a number of connections (0 for \(zero))")
        }
        return count == 0 ? nil : count
    }

    private static func truth(_ value: CommandLineScanner.Value) throws(UsageError) -> Bool {
        switch value.text.lowercased() {
        case "1", "true", "yes", "on": return true
        case "0", "false", "no", "off": return false
        default: throw self.bad(value, expected: "yes or no")
        }
    }

    private static func word<Word>(_ value: CommandLineScanner.Value) throws(UsageError) -> Word
    where Word: RawRepresentable<String> & CaseIterable {
        guard let word = Word(rawValue: value.text.lowercased()) else {
            throw self.bad(value, expected: Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }

    private static func text(_ value: CommandLineScanner.Value, expected: String) throws(UsageError) -> String {
        guard value.text.utf8.contains(where: { $0 > 0x20 }) else { throw self.bad(value, expected: expected) }
        return value.text
    }

    private static func addresses(_ value: CommandLineScanner.Value) throws(UsageError) -> [String] {
        var addresses: [String] = []
        for item in value.text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let address = AddressLiteral.normalized(item) else {
                throw self.bad(value, expected: "IP addresses of this machine, like 192.168.1.5 or ::1, or localhost")
            }
            addresses.append(address)
        }
        return addresses
    }

    private static func hosts(_ value: CommandLineScanner.Value) throws(UsageError) -> [String] {
        let hosts = value.text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let areNames = hosts.allSatisfy { host in
            !host.isEmpty && host.utf8.allSatisfy { ASCII.isToken($0) && $0 != UInt8(ascii: "*") }
        }
        guard areNames else { throw self.bad(value, expected: "host names without scheme and port, like drop.example.org") }
        return hosts.map { $0.lowercased() }
    }

    private static func bad(_ value: CommandLineScanner.Value, expected: String) -> UsageError {
        .badValue(source: value.source, value: value.text, expected: expected)
    }
}
