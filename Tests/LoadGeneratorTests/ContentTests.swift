import TestSupport
import Testing

@testable import LoadGenerator

@Suite("Content") struct ContentTests {
    private let content = Content(seed: 3, name: "a/b.bin")

    @Test("is the same in any pieces") func pieces() {
        let whole = self.content.bytes(at: 0, count: 100)
        for start in 0..<40 {
            for count in [0, 1, 7, 8, 9, 33] {
                #expect(self.content.bytes(at: Int64(start), count: count) == Array(whole[start..<(start + count)]))
            }
        }
        #expect((0..<100).map { self.content.byte(at: Int64($0)) } == whole)
    }

    @Test("differs by seed and by name, and not by the folder") func keys() {
        let others =
            [(3, "c.bin", false), (4, "b.bin", false), (3, "/x/b.bin", true), (3, "b.bin", true)] as [(UInt64, String, Bool)]
        for (seed, name, same) in others {
            let bytes = Content(seed: seed, name: name).bytes(at: 0, count: 32)
            #expect((bytes == self.content.bytes(at: 0, count: 32)) == same, "\(seed) \(name)")
        }
    }

    @Test("finds the first wrong byte, wherever a piece begins") func differences() {
        for start in 0..<17 {
            let right = self.content.bytes(at: Int64(start), count: 40)
            #expect(self.content.firstDifference(in: right.span, at: Int64(start)) == nil)
            for place in right.indices {
                var wrong = right
                for later in place..<40 { wrong[later] ^= 1 }
                #expect(self.content.firstDifference(in: wrong.span, at: Int64(start)) == place)
            }
        }
    }

    @Test("tells a piece that is missing or comes twice") func moved() {
        let bytes = self.content.bytes(at: 0, count: 64)
        #expect(self.content.firstDifference(in: Array(bytes[8...]).span, at: 0) != nil)
        let twice = Array(bytes[..<32] + bytes[..<32])
        #expect(self.content.firstDifference(in: twice.span, at: 0) == 32)
    }

    @Test("of a file is made and checked") func files() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "made.bin")
        let made = await LoadCommand.run(["--seed", "5", "--make", "\(path)=3MiB"])
        #expect((made.status, made.output) == (0, ""))
        let checked = await LoadCommand.run(["--seed", "5", "--check", path])
        #expect((checked.status, checked.output) == (0, "\(path): 3145728 bytes, right"))
        let other = await LoadCommand.run(["--seed", "6", "--check", path])
        #expect((other.status, other.output) == (1, "\(path): byte 0 of 3145728 is wrong"))
        var bytes = try #require(FileBytes.read(path))
        bytes[2_000_000] ^= 1
        try FileBytes.write(bytes, to: path)
        let damaged = await LoadCommand.run(["--seed=5", "--check=\(path)"])
        #expect(damaged.output == "\(path): byte 2000000 of 3145728 is wrong")
        #expect(await LoadCommand.run(["--check", "\(path).not"]).status == 1)
        #expect(await LoadCommand.run(["--make", "\(path)/x=1"]).isError)
    }
}
