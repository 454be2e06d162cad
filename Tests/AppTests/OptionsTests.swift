import FileDrop
import Testing

@testable import App

@Suite("Options")
struct OptionsTests {
    typealias Change = @Sendable (inout Configuration) -> Void

    private func serve(_ line: [String], _ environment: [String: String] = [:]) throws -> Configuration {
        let invocation = try Options.parse(arguments: line, environment: environment, processors: 6)
        guard case .serve(let configuration) = invocation else {
            Issue.record("\(line) does not serve but \(invocation)")
            return Configuration(folder: "")
        }
        return configuration
    }

    private func expected(_ change: Change) -> Configuration {
        var configuration = Configuration(folder: "drop")
        change(&configuration)
        return configuration
    }

    @Test("have the defaults that the help names")
    func defaults() throws {
        let configuration = try self.serve(["drop"])
        #expect(configuration == Configuration(folder: "drop"))
        #expect(configuration.port == 8080)
        #expect(configuration.maxSize == 52_428_800)
        #expect(configuration.duplicates == .rename)
        #expect(configuration.durability == .full)
        #expect(configuration.shutdownTimeout == .seconds(30))
    }

    static let spellingsTable: [([String], Change)] = [
        (["-p", "80", "drop"], { $0.port = 80 }), (["-p80", "drop"], { $0.port = 80 }), (["-p=80", "drop"], { $0.port = 80 }),
        (["--port", "0", "drop"], { $0.port = 0 }), (["drop", "--port=65535"], { $0.port = 65535 }),
        (["-p", "1", "-p", "2", "drop"], { $0.port = 2 }),
        (["-b", "127.0.0.1", "--bind=::1,10.0.0.1", "drop"], { $0.binds = ["127.0.0.1", "::1", "10.0.0.1"] }),
        (["-b[fe80::1%eth0]", "drop"], { $0.binds = ["fe80::1%eth0"] }),
        (["-b", "localhost", "drop"], { $0.binds = ["127.0.0.1"] }),
        (["--max-size", "1GB", "drop"], { $0.maxSize = 1 << 30 }), (["--max-size=0", "drop"], { $0.maxSize = nil }),
        (["--min-free", "1GB", "drop"], { $0.minFree = 1 << 30 }), (["--min-free=0", "drop"], { _ in }),
        (["--max-connections", "9", "drop"], { $0.maxConnections = 9 }), (["--max-connections=0", "drop"], { _ in }),
        (["--max-connections-per-address", "9", "drop"], { $0.maxConnectionsPerAddress = 9 }),
        (["--max-connections-per-address=0", "drop"], { _ in }),
        (["--on-duplicate-files", "error", "drop"], { $0.duplicates = .error }),
        (["--on-duplicate-files=OVERWRITE", "drop"], { $0.duplicates = .overwrite }),
        (["--read-only", "drop"], { $0.readOnly = true }), (["--read-only=no", "drop"], { $0.readOnly = false }),
        (["--hidden", "drop"], { $0.showsHidden = true }), (["--title", "-x=y", "drop"], { $0.title = "-x=y" }),
        (["--title=a=b", "drop"], { $0.title = "a=b" }), (["--state", "/var/s", "drop"], { $0.stateFolder = "/var/s" }),
        (
            ["--allow-host", "Drop.LAN,b.example", "--allow-host", "c", "drop"],
            { $0.allowedHosts = ["drop.lan", "b.example", "c"] }
        ),
        (["--durability", "data", "drop"], { $0.durability = .data }), (["--log-format=json", "drop"], { $0.logFormat = .json }),
        (["--workers", "3", "drop"], { $0.workers = 3 }), (["--workers=AUTO", "drop"], { $0.workers = 6 }),
        (["--shutdown-timeout", "0", "drop"], { $0.shutdownTimeout = .zero }),
        (["--shutdown-timeout=86400", "drop"], { $0.shutdownTimeout = .seconds(86_400) }),
        (["--quiet", "--", "drop"], { $0.quiet = true }), (["--", "-p"], { $0.folder = "-p" }), (["-"], { $0.folder = "-" }),
    ]

    @Test("are understood in every spelling", arguments: OptionsTests.spellingsTable)
    func spellings(_ line: [String], _ change: Change) throws {
        #expect(try self.serve(line) == self.expected(change))
    }

    static let foreignTable: [([String], Change)] = [
        (["-A", "drop"], { _ in }), (["--allow-all", "drop"], { _ in }),
        (["--allow-upload", "--allow-delete", "drop"], { _ in }),
        (["-u", "drop"], { _ in }), (["--upload-files", "drop"], { _ in }), (["-R", "-v", "drop"], { _ in }),
        (["-i", "127.0.0.1", "drop"], { $0.binds = ["127.0.0.1"] }), (["--interfaces=::1", "drop"], { $0.binds = ["::1"] }),
        (["-Ap", "80", "drop"], { $0.port = 80 }), (["-uH", "drop"], { $0.showsHidden = true }),
        (["-t", "x", "drop"], { $0.title = "x" }),
        (["-o", "drop"], { $0.duplicates = .overwrite }), (["drop", "-o"], { $0.duplicates = .overwrite }),
        (["-o", "rename", "drop"], { _ in }), (["-o=error", "drop"], { $0.duplicates = .error }),
        (["-oerror", "drop"], { $0.duplicates = .error }), (["--overwrite-files", "drop"], { $0.duplicates = .overwrite }),
        (
            ["-uop", "80", "drop"],
            {
                $0.duplicates = .overwrite
                $0.port = 80
            }
        ),
    ]

    @Test("of dufs and miniserve mean what they mean there", arguments: OptionsTests.foreignTable)
    func foreign(_ line: [String], _ change: Change) throws {
        #expect(try self.serve(line) == self.expected(change))
    }

    static let variablesTable: [([String], [String: String], Change)] = [
        ([], ["UVDROP_PATH": "drop"], { _ in }), (["drop"], ["UVDROP_PATH": "other"], { _ in }),
        (["drop"], ["UVDROP_PORT": "81"], { $0.port = 81 }), (["drop", "-p", "82"], ["UVDROP_PORT": "x"], { $0.port = 82 }),
        (["drop"], ["UVDROP_PORT": ""], { _ in }),
        (["drop"], ["UVDROP_BIND": "::1,127.0.0.1"], { $0.binds = ["::1", "127.0.0.1"] }),
        (["drop", "-b", "::1"], ["UVDROP_BIND": "127.0.0.1"], { $0.binds = ["::1"] }),
        (["drop"], ["UVDROP_MAX_SIZE": "1KB"], { $0.maxSize = 1024 }),
        (["drop"], ["UVDROP_ON_DUPLICATE_FILES": "error"], { $0.duplicates = .error }),
        (["drop"], ["UVDROP_READ_ONLY": "1"], { $0.readOnly = true }),
        (["drop"], ["UVDROP_READ_ONLY": "TRUE"], { $0.readOnly = true }),
        (["drop"], ["UVDROP_READ_ONLY": "0"], { _ in }), (["drop", "--read-only=no"], ["UVDROP_READ_ONLY": "yes"], { _ in }),
        (["drop"], ["UVDROP_HIDDEN": "yes"], { $0.showsHidden = true }), (["drop"], ["UVDROP_TITLE": "T"], { $0.title = "T" }),
        (["drop"], ["UVDROP_STATE": "s"], { $0.stateFolder = "s" }),
        (["drop"], ["UVDROP_ALLOW_HOST": "a,b"], { $0.allowedHosts = ["a", "b"] }),
        (["drop"], ["UVDROP_DURABILITY": "none"], { $0.durability = .none }),
        (["drop"], ["UVDROP_LOG_FORMAT": "json"], { $0.logFormat = .json }),
        (["drop"], ["UVDROP_QUIET": "true"], { $0.quiet = true }),
        (["drop"], ["UVDROP_WORKERS": "auto"], { $0.workers = 6 }), (["drop"], ["UVDROP_WORKERS": "2"], { $0.workers = 2 }),
        (["drop"], ["UVDROP_SHUTDOWN_TIMEOUT": "5"], { $0.shutdownTimeout = .seconds(5) }),
        (["drop"], ["UVDROP_SHUTDOWN_TIMEOUT": "0"], { $0.shutdownTimeout = .zero }),
        (["drop"], ["UVDROP_MIN_FREE": "2GB"], { $0.minFree = 2 << 30 }), (["drop"], ["UVDROP_MIN_FREE": "0"], { _ in }),
        (["drop", "--min-free", "1KB"], ["UVDROP_MIN_FREE": "x"], { $0.minFree = 1024 }),
        (["drop"], ["UVDROP_MAX_CONNECTIONS": "9"], { $0.maxConnections = 9 }),
        (["drop"], ["UVDROP_MAX_CONNECTIONS": "0"], { _ in }),
        (["drop"], ["UVDROP_MAX_CONNECTIONS_PER_ADDRESS": "7"], { $0.maxConnectionsPerAddress = 7 }),
        (["drop"], ["UVDROP_MAX_CONNECTIONS_PER_ADDRESS": "0"], { _ in }),
        (["drop"], ["UVDROP_SERVICE_HOST": "10.0.0.1", "UVDROP_HELP": "1"], { _ in }),
    ]

    @Test("come from the environment where no flag is given", arguments: OptionsTests.variablesTable)
    func variables(_ line: [String], _ environment: [String: String], _ change: Change) throws {
        #expect(try self.serve(line, environment) == self.expected(change))
    }

    @Test(
        "for help and version win over a missing path and end the reading",
        arguments: [
            (["-h"], .help), (["--help"], .help), (["-V"], .version), (["--version", "--nonsense"], .version),
            (["drop", "-Ah"], .help),
            (["-Vh"], .version),
        ] as [([String], Invocation)])
    func questions(_ line: [String], _ expected: Invocation) throws {
        #expect(try Options.parse(arguments: line, environment: ["UVDROP_PORT": "bad"]) == expected)
    }
}
