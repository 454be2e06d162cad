import Testing

@testable import UVServer

@Suite("Machine") struct MachineTests {
    @Test(
        "looks names up in the domains of the last line that names any",
        arguments: [
            ("", []), ("nameserver 10.0.0.1\n", []), ("search lan\n", ["lan"]),
            ("search a.example  b.example.\n", ["a.example", "b.example"]),
            ("domain one\nsearch two\n", ["two"]), ("search two\ndomain one", ["one"]), ("search\tlan\r\n", ["lan"]),
            ("# search no\nsearch .\n", []), ("searching lan", []),
        ] as [(String, [String])])
    func searchDomains(_ text: String, _ expected: [String]) { #expect(Machine.searchDomains(in: text) == expected) }

    @Test("compares kernels by their first two numbers")
    func kernels() {
        #expect(Machine.isRelease("5.17.0", atLeast: (5, 17)))
        #expect(Machine.isRelease("6.1.0-18-amd64", atLeast: (5, 17)))
        #expect(Machine.isRelease("6.18-rc1", atLeast: (6, 18)))
        #expect(!Machine.isRelease("5.10.0", atLeast: (5, 17)))
        #expect(!Machine.isRelease("4.20.3", atLeast: (5, 17)))
        #expect(!Machine.isRelease("unknown", atLeast: (5, 17)))
        #expect(Machine.hasKernel(2, 6))
        #expect(!Machine.hasKernel(100, 0))
    }

    @Test("adds up what waits to be written")
    func unwritten() {
        let meminfo = "MemFree:  10 kB\nDirty:   524 kB\nWriteback:  12 kB\nWritebackTmp:  7 kB\n"
        #expect(Machine.unwrittenBytes(in: Array(meminfo.utf8)[...]) == 536 << 10)
        #expect(Machine.unwrittenBytes(in: Array("Dirty: 1 kB\n".utf8)[...]) == nil)
        #expect(Machine.unwrittenBytes(in: []) == nil)
        #expect(Machine.unwrittenBytes() != nil)
    }
}
