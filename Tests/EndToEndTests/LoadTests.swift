import TestSupport
import Testing
import UVServer

@testable import LoadGenerator

/// The real server under the load generator's loads, each byte of which is compared.
@Suite("Under load", .timeLimit(.minutes(2))) struct LoadTests {
    /// Runs the loads and gives the lines of the result that tell of failures.
    private static func failures(_ server: ServerProcess, _ arguments: String...) async -> (text: String, failed: [Substring]) {
        let outcome = await LoadCommand.run(["--url", server.url] + arguments)
        return (outcome.output, outcome.output.split(separator: "\n").filter { $0.contains("FAILED") || outcome.isError })
    }

    private static func make(_ name: String, _ size: Int64, in folder: TemporaryFolder) throws {
        try ContentFile.make(folder.path(of: name), size: size, seed: 1)
    }

    @Test("a thousand downloads of one file at once are each whole and right")
    func thousand() async throws {
        let folder = try TemporaryFolder()
        try Self.make("one.bin", 300_000, in: folder)
        let server = try ServerProcess(folder.path, ["--quiet"])
        // More clients than one loop takes turns for in a moment, and small windows: all of them are under way together.
        let (text, failed) = await Self.failures(server, "get:path=/one.bin,size=300000,clients=1000,count=1000,buffer=16KiB")
        #expect(failed.isEmpty)
        #expect(text.contains("  1000 requests, 300000000 bytes"))
        #expect(text.contains("  1000 connections"))
        #expect(try server.stop() == 0)
    }

    @Test("uploads of all kinds, ranges, small files, idle and stalled clients at once come out right")
    func mixed() async throws {
        let folder = try TemporaryFolder()
        try Self.make("small.bin", 1024, in: folder)
        try Self.make("large.bin", 8 << 20, in: folder)
        let server = try ServerProcess(folder.path, ["--quiet", "--durability", "none"])
        let (text, failed) = await Self.failures(
            server, "put:clients=3,size=300KB,count=20,delete=yes", "put:clients=2,size=70000,count=10,chunked=yes,delete=yes",
            "form:clients=3,size=200KB,files=3,count=12,delete=yes",
            "slow-write:clients=2,size=500,rate=2kB/s,count=4,delete=yes",
            "range:path=/large.bin,size=8MiB,clients=4,count=200",
            "get:path=/small.bin,size=1KiB,clients=4,count=200,keep-alive=no",
            "slow-read:path=/small.bin,size=1KiB,rate=4kB/s,count=3", "slow-read:path=/large.bin,rate=0,clients=30",
            "idle:path=/small.bin,clients=30")
        #expect(failed.isEmpty)
        for held in ["slow-read:path=/large.bin,rate=0,clients=30", "idle:path=/small.bin,clients=30"] {
            let lines = text.split(separator: "\n")
            let place = try #require(lines.firstIndex { $0 == held })
            #expect(lines[place...].first { $0.contains("connections") } == "  30 connections, 30 held to the end")
        }
        // What was deleted is gone, and nothing partial has a name.
        #expect(Set(folder.allFiles.keys.filter { !$0.hasPrefix(".") }) == ["small.bin", "large.bin"])
        #expect(try server.stop() == 0)
    }

    @Test("an upload that is too large is refused, and the load generator says with what")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(folder.path, ["--quiet", "--max-size", "1MB"])
        let (text, failed) = await Self.failures(server, "put:size=20MB,count=2", "form:size=20MB,count=2")
        #expect(failed.count == 2)
        #expect(text.contains("FAILED 2 × status 413"))
        #expect(try server.stop() == 0)
    }

    @Test("a file that was changed behind the server's back is found out, and was not before")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        try Self.make("f.bin", 100_000, in: folder)
        let server = try ServerProcess(folder.path, ["--quiet"])
        #expect(await Self.failures(server, "get:path=/f.bin,size=100000,count=2").failed.isEmpty)
        var bytes = try #require(folder.read("f.bin"))
        bytes[70_000] ^= 1
        try folder.write("f.bin", bytes)
        let (text, _) = await Self.failures(server, "get:path=/f.bin,size=100000,count=1")
        #expect(text.contains("FAILED 1 × wrong bytes: byte 70000 of the file is wrong"))
        #expect(try server.stop() == 0)
    }
}
