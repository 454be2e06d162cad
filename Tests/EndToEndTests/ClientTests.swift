import TestSupport
import Testing

@Suite("real clients")
struct ClientTests {
    @Test("curl uploads by form and by PUT, with and without Expect, and chunked from a pipe")
    func curlUploads() throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        let content = noise(2_500_000)
        try scratch.write("one.bin", content)
        try scratch.write("zwei ü.txt", "two")
        let server = try ServerProcess(folder.path)
        let start = ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}"]
        let form = try Command.run(start + ["-F", "file=@one.bin", "-F", "file=@zwei ü.txt", server.url + "/"], in: scratch.path)
        #expect(form.text == "303", "\(form.text) \(form.errorText)")
        #expect(folder.read("one.bin") == content && folder.read("zwei ü.txt") == bytes("two"))
        for (name, options) in [
            ("put", []), ("expect", ["-H", "Expect: 100-continue"]), ("plain", ["-H", "Expect:"]),
            ("slow", ["--limit-rate", "8M"]),
        ] {
            let run = try Command.run(start + options + ["-T", "one.bin", server.url + "/\(name).bin"], in: scratch.path)
            #expect(run.text == "201", "\(name): \(run.text) \(run.errorText)")
            #expect(isSame(folder.read("\(name).bin"), content), "\(name)")
        }
        let folderTarget = try Command.run(start + ["-H", "X-Test: 1", "-T", "-", server.url + "/piped.bin"], input: content)
        #expect(folderTarget.text == "201", "\(folderTarget.errorText)")
        #expect(isSame(folder.read("piped.bin"), content))
        let again = try Command.run(start + ["-T", "one.bin", server.url + "/put.bin"], in: scratch.path)
        #expect(again.text == "409" && again.status == 0)
    }

    @Test("curl -C - and wget -c continue a download", arguments: ["curl", "wget"])
    func resume(client: String) throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        let content = noise(1_500_000)
        try folder.write("r.bin", content)
        let server = try ServerProcess(folder.path)
        let arguments = client == "curl" ? ["curl", "-sS", "-f", "-C", "-", "-O"] : ["wget", "-q", "-c"]
        for have in [0, 1, 700_000, 1_499_999] {
            try scratch.write("r.bin", [UInt8](content[..<have]))
            let run = try Command.run(arguments + [server.url + "/r.bin"], in: scratch.path)
            #expect(run.status == 0, "\(have): \(run.errorText)")
            #expect(isSame(scratch.read("r.bin"), content), "\(have) bytes there before")
        }
    }

    @Test("curl downloads at a limited rate, several at once on one connection, and by the name the server gives")
    func curlDownloads() throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        let content = noise(4_000_000)
        try folder.write("big.bin", content)
        try folder.write("small.txt", "small")
        let server = try ServerProcess(folder.path)
        let slow = try Command.run(["curl", "-sS", "-f", "--limit-rate", "4M", server.url + "/big.bin"])
        #expect(slow.status == 0 && slow.output == content, "\(slow.errorText)")
        let named = try Command.run(
            ["curl", "-sS", "-f", "-O", "-J", server.url + "/small.txt", "-O", "-J", server.url + "/big.bin"], in: scratch.path)
        #expect(named.status == 0, "\(named.errorText)")
        #expect(scratch.read("small.txt") == bytes("small") && scratch.read("big.bin") == content)
        let reused = try Command.run([
            "curl", "-sS", "-o", "/dev/null", "-o", "/dev/null", "-w", "%{num_connects} ", server.url + "/small.txt",
            server.url + "/big.bin",
        ])
        #expect(reused.text == "1 0 ", "\(reused.text)")
    }
}
