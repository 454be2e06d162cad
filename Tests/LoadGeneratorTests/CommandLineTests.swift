import Testing

@testable import LoadGenerator

@Suite("The load generator's command line") struct CommandLineTests {
    @Test(
        "says in a sentence what it cannot follow",
        arguments: [
            ([], "say which server: --url http://127.0.0.1:8080"),
            (["--url", "x"], "say what to do, for example get:path=/FILE,clients=32"),
            (["--url", "x", "get:path=/f"], "this would never end: give --duration 10s, or a load its count=…"),
            (["--urls", "x"], "unknown option --urls"),
            (["--url"], "--url needs a value"),
            (["--json=1"], "--json takes no value"),
            (["--duration", "soon"], "--duration takes a time, such as 10s, not \"soon\""),
            (["--duration", "0s"], "--duration takes a time, such as 10s, not \"0s\""),
            (["--header", "A b"], "--header takes a field, such as 'Name: value', not \"A b\""),
            (["--make", "f"], "--make takes a file and its size, such as data/big.bin=1GiB, not \"f\""),
            (["--make", "f=1", "--check", "f"], "--make and --check are two commands"),
            (["fetch:path=/f"], "there is no load \"fetch\"; there are get, range, put, form, idle, slow-read, slow-write"),
            (["idle:size=1"], "idle has no setting \"size\"; it has clients, path"),
            (["get:clients"], "get: clients needs a value, as in clients=…"),
            (["get:clients=none"], "get: clients takes a number of 1 or more, not \"none\""),
            (["get:rate=fast"], "get: rate takes bytes a second, such as 20MB/s, not \"fast\""),
            (["get:path=f"], "get: path takes a path that begins with /, not \"f\""),
            (["get:clients=2"], "get needs to know what to fetch: get:path=/FILE"),
            (["put:clients=2"], "put needs a size: put:size=64MiB"),
            (["range:path=/f,size=10,length=11"], "range: a length of 11 does not fit into a size of 10"),
            (["get:path=/f,rate=0"], "get: a rate of 0 would never end; slow-read takes it"),
        ] as [([String], String)])
    func refusals(_ arguments: [String], _ text: String) {
        #expect(throws: UsageError(text)) { try Options(arguments) }
    }

    @Test("takes several loads with their settings") func loads() throws {
        let options = try Options([
            "--url=http://h:1", "--duration", "1.5s", "--seed", "9", "put:clients=8,size=64MiB,rate=20MB/s",
            "slow-read:path=/a,clients=100",
        ])
        #expect(options.duration == .milliseconds(1500))
        #expect(options.seed == 9)
        let (put, slow) = (options.loads[0], options.loads[1])
        #expect((put.kind, put.clients, put.size, put.rate) == (.put, 8, 64 << 20, 20_000_000))
        #expect((slow.kind, slow.clients, slow.rate, slow.buffer) == (.slowRead, 100, 1000, 4096))
    }

    @Test(
        "knows the units of sizes, times and rates",
        arguments: [
            ("4096", 4096), ("64KiB", 65536), ("1.5MiB", 1_572_864), ("20MB", 20_000_000), ("1GiB", 1 << 30), ("", nil),
            ("x", nil),
            ("1TB", nil), ("-1", nil), ("1e3", nil), ("99999999999GiB", nil),
        ] as [(String, Int64?)])
    func sizes(_ text: String, _ bytes: Int64?) { #expect(Quantity.bytes(text) == bytes) }

    @Test("explains itself, and wrong usage is status 2") func help() async {
        let help = await LoadCommand.run(["--help"])
        #expect((help.status, help.isError) == (0, false))
        for kind in LoadKind.allCases { #expect(help.output.contains("\n  \(kind.rawValue) ")) }
        for key in LoadKey.allCases where key != .length { #expect(help.output.contains(" \(key.rawValue)=")) }
        let wrong = await LoadCommand.run(["--url", "ftp://h", "get:path=/f,count=1"])
        #expect((wrong.status, wrong.isError) == (2, true))
        #expect(wrong.output == "uvload: --url takes http://HOST:PORT, not \"ftp://h\"\nTry uvload --help.")
    }
}
