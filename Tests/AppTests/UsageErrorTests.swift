import Testing

@testable import App

@Suite("A usage error")
struct UsageErrorTests {
    private func error(_ line: [String], _ environment: [String: String] = [:]) -> UsageError? {
        do throws(UsageError) {
            _ = try Options.parse(arguments: line, environment: environment)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "is typed",
        arguments: [
            ([], .missingPath), ([""], .missingPath), (["--port", "80"], .missingPath), (["a", "b"], .secondPath("b")),
            (["a", "--", "b"], .secondPath("b")), (["--", "a", "b"], .secondPath("b")),
            (["d", "--port"], .missingValue(option: "--port")), (["d", "-p"], .missingValue(option: "-p")),
            (["d", "--help=1"], .unexpectedValue(option: "--help")), (["d", "-u=dir"], .unexpectedValue(option: "-u")),
            (["d", "--read-only", "-A"], .contradiction("-A")), (["d", "-u", "--read-only"], .contradiction("-u")),
            (
                ["d", "--auth", "u:p"],
                .absentOption(
                    "--auth", answer: "there are no accounts and passwords; use --read-only or --bind to say who can do what")
            ),
        ] as [([String], UsageError)])
    func typed(_ line: [String], _ expected: UsageError) {
        #expect(self.error(line) == expected)
    }

    @Test(
        "names the nearest option",
        arguments: [
            ("--prot", "--port"), ("--por", "--port"), ("--max-sise", "--max-size"), ("--maxsize", "--max-size"),
            ("--readonly", "--read-only"), ("--read", "--read-only"), ("--hiden", "--hidden"), ("--titel", "--title"),
            ("--log", "--log-format"), ("--Port=80", "--port"), ("--durabilty=full", "--durability"), ("--quite", "--quiet"),
            ("-P", "-p"), ("-B", "-b"), ("-q", "--quiet"), ("-pé", "-p"),
        ])
    func nearest(_ typed: String, _ expected: String) {
        guard let error = self.error(["d", typed]) else {
            Issue.record("\(typed) was accepted")
            return
        }
        switch error {
        case .unknownOption(_, let nearest): #expect(nearest == expected)
        case .badValue(let source, _, _): #expect(source == expected)
        default: Issue.record("\(error)")
        }
    }

    @Test("names none that is far from what was typed", arguments: ["--nope", "--xyz", "--frobnicate", "--colour", "-x"])
    func notNear(_ typed: String) {
        #expect(self.error(["d", typed]) == .unknownOption(typed, nearest: nil))
        let nothing = "means nothing here"
        #expect(
            Options.warnings(environment: ["UVDROP_NOPE": "", "UVDROP_WORKER": ""]) == [
                "uvdrop: the variable UVDROP_NOPE \(nothing)",
                "uvdrop: the variable UVDROP_WORKER \(nothing); did you mean UVDROP_WORKERS?",
            ])
    }

    @Test("says what 0 means where it is no limit of its own")
    func zeros() {
        for (option, words) in [
            ("--max-connections", "(0 for as many as the descriptors suffice for)"),
            ("--max-connections-per-address", "(0 for no limit)"), ("--max-size", "(0 for no limit)"),
            ("--min-free", "(0 for none)"),
        ] {
            #expect(self.error(["d", option, "x"])?.message.contains(words) == true, "\(option)")
        }
    }

    @Test(
        "about a value names its source",
        arguments: [
            (["d", "-p", "65536"], [:], "-p"), (["d", "--port=-1"], [:], "--port"), (["d", "--port="], [:], "--port"),
            (["d"], ["UVDROP_PORT": "tcp://10.0.0.1:80"], "UVDROP_PORT"), (["d", "--max-size=lots"], [:], "--max-size"),
            (["d", "--max-size", "9999999999999GB"], [:], "--max-size"), (["d"], ["UVDROP_QUIET": "maybe"], "UVDROP_QUIET"),
            (["d", "--hidden=.git"], [:], "--hidden"), (["d", "--on-duplicate-files=ask"], [:], "--on-duplicate-files"),
            (["d", "-o=ask"], [:], "-o"), (["d", "--durability", "some"], [:], "--durability"),
            (["d", "--shutdown-timeout", "86401"], [:], "--shutdown-timeout"),
            (["d", "--shutdown-timeout", "1.5"], [:], "--shutdown-timeout"),
            (["d", "--shutdown-timeout=-1"], [:], "--shutdown-timeout"),
            (["d"], ["UVDROP_SHUTDOWN_TIMEOUT": "x"], "UVDROP_SHUTDOWN_TIMEOUT"),
            (["d", "--shutdown-timeout="], [:], "--shutdown-timeout"),
            (["d", "--min-free", "lots"], [:], "--min-free"), (["d", "--min-free=-1"], [:], "--min-free"),
            (["d", "--min-free", "9999999999999GB"], [:], "--min-free"), (["d", "--min-free="], [:], "--min-free"),
            (["d"], ["UVDROP_MIN_FREE": "10%"], "UVDROP_MIN_FREE"),
            (["d", "--max-connections", "many"], [:], "--max-connections"),
            (["d", "--max-connections=-1"], [:], "--max-connections"),
            (["d", "--max-connections", "1e3"], [:], "--max-connections"),
            (["d", "--max-connections", "99999999999999999999"], [:], "--max-connections"),
            (["d"], ["UVDROP_MAX_CONNECTIONS": "9,9"], "UVDROP_MAX_CONNECTIONS"),
            (["d", "--max-connections-per-address", "few"], [:], "--max-connections-per-address"),
            (["d", "--max-connections-per-address=-1"], [:], "--max-connections-per-address"),
            (["d", "--max-connections-per-address", "99999999999999999999"], [:], "--max-connections-per-address"),
            (["d"], ["UVDROP_MAX_CONNECTIONS_PER_ADDRESS": "1.5"], "UVDROP_MAX_CONNECTIONS_PER_ADDRESS"),
            (["d", "--workers", "0"], [:], "--workers"), (["d", "--workers=257"], [:], "--workers"),
            (["d"], ["UVDROP_WORKERS": "many"], "UVDROP_WORKERS"),
            (["d", "-b", "/run/s"], [:], "-b"),
            (["d", "-i", "eth0"], [:], "-i"), (["d", "--bind", "1.2.3.4,"], [:], "--bind"),
            (["d", "--title", " "], [:], "--title"),
            (["d", "--state="], [:], "--state"), (["d", "--allow-host", "http://x"], [:], "--allow-host"),
            (["d", "--allow-host", "x:80"], [:], "--allow-host"),
        ] as [([String], [String: String], String)])
    func values(_ line: [String], _ environment: [String: String], _ source: String) {
        guard case .badValue(source, _, _) = self.error(line, environment) else {
            Issue.record("\(line): \(String(describing: self.error(line, environment)))")
            return
        }
    }

    @Test("shows an example when the folder is missing, and cannot steer the terminal")
    func messages() {
        #expect(UsageError.missingPath.message.contains("uvdrop ./drop"))
        let hostile = UsageError.unknownOption("--\u{1B}[2J\n\u{9B}x", nearest: "--port").message
        #expect(hostile == "uvdrop: unknown option --?[2J??x; did you mean --port?\nTry uvdrop --help.")
    }

    @Test(
        "is found by edits of single letters",
        arguments: [
            ("", "", 0), ("a", "", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("prot", "port", 1), ("ab", "ba", 1),
            ("flaw", "lawn", 2),
        ])
    func distances(_ first: String, _ second: String, _ expected: Int) {
        #expect(NearestWord.distance(first, second) == expected)
        #expect(NearestWord.distance(second, first) == expected)
    }
}
