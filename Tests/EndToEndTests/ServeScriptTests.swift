import TestSupport
import Testing

/// What the first command of the README makes of its arguments. The build is a stand-in, which says what it was asked for.
@Suite("scripts/serve", .oneWorker)
struct ServeScriptTests {
    private let scratch: TemporaryFolder

    init() throws {
        self.scratch = try TemporaryFolder()
        try self.scratch.makeFolder("there")
        try self.scratch.makeFolder("bin")
        let swift = "case $* in *--show-bin-path*) echo \(self.scratch.path)/bin ;; *) echo built >&2 ;; esac"
        let server = "echo \"path=$UVDROP_PATH arguments=$*\""
        for (name, text) in [("swift", swift), ("uvdrop", server)] {
            try self.scratch.write("bin/\(name)", "#!/bin/sh\n\(text)\n")
            #expect(try Command.run(["chmod", "+x", self.scratch.path(of: "bin/\(name)")]).status == 0)
        }
    }

    private func serve(_ arguments: [String], _ environment: String = "") throws -> Command {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let script = "PATH=\(self.scratch.path)/bin:$PATH \(environment) exec \"$0\" \"$@\""
        return try Command.run(["sh", "-c", script, root + "/scripts/serve"] + arguments, in: self.scratch.path)
    }

    @Test(
        "serves ./drop unless a folder is named, and takes no value of an option for one",
        arguments: [
            [], ["--title", "there"], ["--title=there"], ["-t", "there"], ["--quiet", "--port", "80"], ["-Ap", "80"],
            ["-o", "overwrite"], ["--state", "there"],
        ] as [[String]])
    func usual(_ arguments: [String]) throws {
        let run = try self.serve(arguments)
        #expect(run.text == "path=drop arguments=\(arguments.joined(separator: " "))\n", "\(run.text) \(run.errorText)")
        #expect(self.scratch.exists("drop"))
    }

    @Test(
        "serves the folder that is named, wherever it stands",
        arguments: [["there"], ["-p", "80", "there"], ["there", "--title", "x"], ["-o", "there"]] as [[String]])
    func named(_ arguments: [String]) throws {
        let run = try self.serve(arguments)
        #expect(run.text == "path= arguments=\(arguments.joined(separator: " "))\n", "\(run.text) \(run.errorText)")
        #expect(!self.scratch.exists("drop"))
        #expect(try self.serve([], "UVDROP_PATH=there").text == "path=there arguments=\n")
    }

    @Test("says at once that a folder is missing, and builds nothing")
    func missing() throws {
        let run = try self.serve(["missing"])
        #expect(run.status == 1 && run.errorText == "uvdrop: there is no folder missing; make it first\n", "\(run.errorText)")
        #expect(!self.scratch.exists("missing"))
        #expect(try self.serve(["--help"]).text == "path= arguments=--help\n")
    }
}
