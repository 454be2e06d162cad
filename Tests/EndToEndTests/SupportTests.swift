import TestSupport
import Testing

@Suite("the tools of these tests")
struct SupportTests {
    @Test("a program's output, error text and status are kept")
    func command() throws {
        let run = try Command.run(["sh", "-c", "printf out; printf err >&2; cat; exit 3"], input: [65, 10])
        #expect(run.text == "outA\n")
        #expect(run.errorText == "err")
        #expect(run.status == 3)
        #expect(try Command.run(["ls", "/proc/self/fd"]).text == "0\n1\n2\n3\n")
        #expect(try Command.run(["pwd"], in: "/usr").text == "/usr\n")
    }

    @Test("a temporary folder goes with its object")
    func folder() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = try #require(folder?.path)
        try folder?.makeFolder("a")
        try folder?.write("a/b", "c")
        #expect(folder?.allFiles == ["a/b": 1])
        #expect(FileBytes.names(in: "/tmp").contains([UInt8](path.dropFirst(5).utf8)))
        folder = nil
        #expect(!FileBytes.names(in: "/tmp").contains([UInt8](path.dropFirst(5).utf8)))
    }

    @Test("chunks are written with hexadecimal sizes")
    func chunks() {
        #expect(
            HTTPRequest.chunked([UInt8](repeating: 65, count: 17), size: 16)
                == [UInt8]("10\r\nAAAAAAAAAAAAAAAA\r\n1\r\nA\r\n0\r\n\r\n".utf8))
    }
}
